/** What one place of a printed row holds; null for nothing. */
export type RowCell = string | number | null;

/**
 * Rows as lines. For a terminal in columns beneath a header, numbers to the right; for another program with tabs
 * between and without a header, so that whoever reads line by line meets rows alone.
 *
 * @param isTerminal Whether people read it: `process.stdout.isTTY`.
 * @returns Lines with their ends; empty where there is no row.
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
  const widths = heads.map((head, at) => Math.max(head.length, ...texts.map((row) => row[at]?.length ?? 0)));
  const isNumber = heads.map((_, at) => rows.some((row) => typeof row[at] === 'number'));
  const line = (row: readonly string[]) => {
    const cells = widths.map((width, at) => (isNumber[at] ? row[at]?.padStart(width) : row[at]?.padEnd(width)));
    return `${cells.join('  ').trimEnd()}\n`;
  };
  return [heads, ...texts].map(line).join('');
}
