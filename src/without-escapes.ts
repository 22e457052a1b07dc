const ESCAPE = '\u001b';

/** What tells a terminal something, such as where a link leads or what a window is called, to its end in the line. */
const COMMAND = String.raw`${ESCAPE}\][^${ESCAPE}\x07\n]*(?:\x07|${ESCAPE}\\)`;
/** Colours, and where the cursor goes. */
const CONTROL = String.raw`(?:${ESCAPE}\[|\x9b)[0-?]*[ -/]*[@-~]`;
const OTHER = `${ESCAPE}[ -/]*[0-~]`;

/** Each is looked through once, also where many have no end. */
const ESCAPES = new RegExp([COMMAND, CONTROL, OTHER].join('|'), 'g');

/**
 * A text without what a terminal would take as colours, links and other commands, as ECMA-48 has them: Node.js' own way
 * leaves parts of them, and takes the square of their number from Node.js 26 on.
 */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, '');
}
