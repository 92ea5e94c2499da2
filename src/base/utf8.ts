/** Where characters begin in UTF-8. */

/** The nearest start of a UTF-8 character at or before `at`. Looks back three bytes at most, whatever the bytes are. */
export const characterStart = (bytes: Uint8Array, at: number): number => {
  if (at >= bytes.length) return bytes.length;
  for (let back = 0; back < 4 && back <= at; back++) if (((bytes[at - back] ?? 0) & 0xc0) !== 0x80) return at - back;
  return at;
};
