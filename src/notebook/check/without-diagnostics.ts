/** A code frame as it stands below a diagnostic: numbered lines, the one that is meant with a caret under it. */
const FRAME = String.raw`\n(?:(?:[> ] +\d+ \|.*| +\| *\^)(?:\n|$))+`;

/** What it says may go on over further lines, which are indented. */
const DIAGNOSTIC = String.raw`\bcell(?: \d+)?:\d+:\d+ - (?:error|warning) TS\d+: .*(?:\n|$)(?:[ \t]+\S.*(?:\n|$))*(?:${FRAME})?`;

/** Several come with an empty line between, and how many more there are behind the last. */
const PATTERN = new RegExp(
  String.raw`${DIAGNOSTIC}(?:\n${DIAGNOSTIC})*(?:\n… and \d+ more in cell(?: \d+)?\.(?:\n|$))?`,
  'g',
);

/**
 * A text of stderr without what the kernel says there of a cell's types: a notebook that was saved in Jupyter holds it,
 * and a run without type checking says nothing of the kind.
 *
 * @returns What the cell itself wrote.
 * @example withoutDiagnostics("careful\ncell 3:1:7 - error TS2322: …\n\n> 1 | …\n    | ^\n"); // 'careful\n'
 */
export function withoutDiagnostics(text: string): string {
  return text.replace(PATTERN, '');
}
