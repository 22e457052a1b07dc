/** A row of a result: the text of each column, or null for a null value. */
export type Cells = readonly (string | null)[];

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', r: '\r', n: '\n', t: '\t', '0': '\0' };

/** Reads the rows of a result in ClickHouse's format TabSeparated. */
export function readTabSeparated(text: string): Cells[] {
  const lines = text.split('\n');
  // Each line ends with a line break, the last one too.
  lines.pop();
  return lines.map((line) => (line.includes('\\') ? line.split('\t').map(unescaped) : line.split('\t')));
}

function unescaped(cell: string): string | null {
  if (cell === '\\N') return null;
  return cell.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
}
