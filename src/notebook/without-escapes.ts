import { stripVTControlCharacters } from 'node:util';

const [ESCAPE, BELL] = ['\u001b', '\u0007'];

/** What tells a terminal something, such as where a link leads or what a window is called, to its end in the line. */
const COMMAND = new RegExp(`${ESCAPE}\\][^${ESCAPE}${BELL}\\n]*(?:${BELL}|${ESCAPE}\\\\)`, 'g');

/** A text without what a terminal would take as colours, links and other commands: Node.js' own way leaves parts of them. */
export function withoutEscapes(text: string): string {
  return stripVTControlCharacters(text.replace(COMMAND, ''));
}
