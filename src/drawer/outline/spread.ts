// An order in which any beginning lies spread over the whole.
/** `0 … count-1` so that any beginning of it lies spread over the whole: both ends, then middles of what is between. */
export const spreadOrder = (count: number, mostPlaces = 256): number[] => {
  if (count <= 0) return [];
  const order = count > 1 ? [0, count - 1] : [0];
  const gaps: [number, number][] = [[0, count - 1]];
  for (let next = gaps.shift(); next && order.length < mostPlaces; next = gaps.shift()) {
    const [from, to] = next;
    const middle = (from + to) >> 1;
    if (middle === from) continue;
    order.push(middle);
    gaps.push([from, middle], [middle, to]);
  }
  return order;
};
