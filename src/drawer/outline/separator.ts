// What separates the fields of a table.
/** Fields of a row by `separator`; quoted ones hold it as data. */
const fieldCount = (row: string, separator: string): number => row.replaceAll(/"[^"]*"/g, '').split(separator).length;

/** The separator that the first rows of a table agree on. */
export const separatorOf = (rows: readonly string[]): string | undefined =>
  ['\t', ',', ';', '|'].find((separator) => {
    const counts = rows.slice(0, 20).map((row) => fieldCount(row, separator));
    const [first = 1] = counts;
    return counts.length >= 3 && first >= 2 && counts.filter((count) => count === first).length >= counts.length * 0.9;
  });
