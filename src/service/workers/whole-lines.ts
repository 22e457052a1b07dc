/** How many letters of an unfinished line are kept at most; a longer one is cut in two. */
const LONGEST_LINE = 1 << 20;

/**
 * Gathers pieces of text into whole lines, so that the lines of several writers do not run into each other.
 *
 * @param tell Receives one or more lines, each with its line break.
 * @returns A function that takes the pieces; called without one, it passes on what is left.
 */
export function wholeLines(tell: (lines: string) => void): (text?: string) => void {
  let rest = '';
  return (text) => {
    rest += text ?? '';
    const isOver = text === undefined || rest.length > LONGEST_LINE;
    const end = isOver ? rest.length : rest.lastIndexOf('\n') + 1;
    const lines = rest.slice(0, end);
    rest = rest.slice(end);
    if (lines !== '') tell(lines.endsWith('\n') ? lines : `${lines}\n`);
  };
}
