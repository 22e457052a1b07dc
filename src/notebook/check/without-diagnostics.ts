/** The code frame below a diagnostic: numbered lines, with a caret under the one that is meant. */
const FRAME = String.raw`\n(?:(?:[> ] +\d+ \|.*| +\| *\^)(?:\n|$))+`;

/** A diagnostic; its message may continue over indented lines. */
const DIAGNOSTIC = String.raw`\bcell(?: \d+)?:\d+:\d+ - (?:error|warning) TS\d+: .*(?:\n|$)(?:[ \t]+\S.*(?:\n|$))*(?:${FRAME})?`;

/** Several diagnostics are separated by an empty line; after the last may stand how many more there are. */
const PATTERN = new RegExp(
  String.raw`${DIAGNOSTIC}(?:\n${DIAGNOSTIC})*(?:\n… and \d+ more in cell(?: \d+)?\.(?:\n|$))?`,
  'g',
);

/**
 * Removes the kernel's type messages from a text of stderr: a notebook saved in Jupyter holds them, and a run without
 * type checking writes none.
 *
 * @returns What the cell itself wrote.
 * @example withoutDiagnostics("careful\ncell 3:1:7 - error TS2322: …\n\n> 1 | …\n    | ^\n"); // 'careful\n'
 */
export function withoutDiagnostics(text: string): string {
  return text.replace(PATTERN, '');
}
