// The order in which rooms begin.
type Ordered = { name: string; needs?: readonly string[] | undefined };

/** `rooms` with each behind those that it needs. Throws where one needs what is not there, or where they need each other. */
export const orderRooms = <R extends Ordered>(rooms: readonly R[]): R[] => {
  const ordered: R[] = [];
  const visit = (room: R, path: readonly string[]): void => {
    if (ordered.includes(room)) return;
    const here = [...path, room.name];
    if (path.includes(room.name)) throw new Error(`these rooms need each other: ${here.join(' → ')}`);
    for (const name of room.needs ?? []) {
      const needed = rooms.find((other) => other.name === name);
      if (needed === undefined) throw new Error(`the room ${room.name} needs ${name}, which is not in the list`);
      visit(needed, here);
    }
    ordered.push(room);
  };
  for (const room of rooms) visit(room, []);
  return ordered;
};
