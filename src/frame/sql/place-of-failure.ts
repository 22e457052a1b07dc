/** The start of the statement that a query runs in, and of the one that DuckDB makes of a PIVOT. */
const [OURS, PIVOT] = [/^.*"oddslab result" AS (?:FROM \()?/, '__pivot_enum'];

/**
 * The line of a query that is wrong, with a caret under it, from DuckDB's message. The statement that precedes the
 * query is removed.
 *
 * @returns An empty string if DuckDB names no place, or one that is not in the query as its user wrote it.
 */
export function placeOfFailure(message: string): string {
  const [, number, line = '', caret] = /^LINE (\d+): (.*)\n( *)\^/m.exec(message) ?? [];
  if (number === undefined || caret === undefined || line.includes(PIVOT)) return '';
  const ours = OURS.exec(line)?.[0].length ?? 0;
  const at = caret.length - `LINE ${number}: `.length - ours;
  return at < 0 ? '' : `line ${number}: ${line.slice(ours)}\n${' '.repeat(`line ${number}: `.length + at)}^`;
}
