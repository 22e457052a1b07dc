const ESCAPE = '\u001b';

/** Commands to the terminal, such as a link's target or the window's title, up to their end on the line. */
const COMMAND = String.raw`${ESCAPE}\][^${ESCAPE}\x07\n]*(?:\x07|${ESCAPE}\\)`;
/** Colours and movements of the cursor. */
const CONTROL = String.raw`(?:${ESCAPE}\[|\x9b)[0-?]*[ -/]*[@-~]`;
const OTHER = `${ESCAPE}[ -/]*[0-~]`;

/** All of them. The time stays linear even if many have no end. */
const ESCAPES = new RegExp([COMMAND, CONTROL, OTHER].join('|'), 'g');

/**
 * Removes the colours, links and other commands of ECMA-48 that a terminal would act on. Node's own function leaves
 * parts of them, and from Node.js 26 on its time grows with the square of their number.
 */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, '');
}
