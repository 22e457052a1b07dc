/** One cell of a printed row; null for an empty one. */
export type RowCell = string | number | null;

/**
 * Lays out rows as lines: for a terminal in columns below a header, numbers aligned right; for another program
 * separated by tabs and without a header, so that every line is a row.
 *
 * @param isTerminal Whether the output goes to a terminal: `process.stdout.isTTY`.
 * @returns Lines with their line ends; an empty string if there are no rows.
 * @example rowsText(['ID', 'NAME'], [['1a', 'laptop']], false); // '1a\tlaptop\n'
 */
export function rowsText(
  heads: readonly string[],
  rows: readonly (readonly RowCell[])[],
  isTerminal: boolean | undefined,
): string {
  if (rows.length === 0) return '';
  const texts = rows.map((row) => row.map((cell) => String(cell ?? '')));
  if (!isTerminal) return texts.map((row) => `${row.join('\t')}\n`).join('');
  const widths = heads.map((head, at) =>
    texts.reduce((width, row) => Math.max(width, row[at]?.length ?? 0), head.length),
  );
  const isNumber = heads.map((_, at) => rows.some((row) => typeof row[at] === 'number'));
  const line = (row: readonly string[]) => {
    const cells = widths.map((width, at) => (isNumber[at] ? row[at]?.padStart(width) : row[at]?.padEnd(width)));
    return `${cells.join('  ').trimEnd()}\n`;
  };
  return [heads, ...texts].map(line).join('');
}
