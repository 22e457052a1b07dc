/**
 * Colours an error's text for a terminal: the first line bold, and the marked lines of code frames red.
 *
 * @param isColoured If false, the text is returned as it is.
 */
export function paintError(text: string, isColoured: boolean): string {
  if (!isColoured) return text;
  const [first = '', ...rest] = text.split('\n');
  const painted = rest.map((line) =>
    /^(> +\d+| +) \|/.test(line) && /^>|\^$/.test(line) ? `\x1b[31m${line}\x1b[39m` : line,
  );
  return [`\x1b[1m${first}\x1b[22m`, ...painted].join('\n');
}
