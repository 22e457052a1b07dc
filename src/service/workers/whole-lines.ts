/** The most that is kept of a line whose end has not come; a longer one is cut in two. */
const LONGEST_LINE = 1 << 20;

/**
 * Gathers text as it comes into whole lines, so that those of several writers do not run into each other.
 *
 * @param tell Gets one line or more, each with its end.
 * @returns What takes the text; called without any, it tells what is left.
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
