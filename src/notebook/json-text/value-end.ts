/** The index after the last character of the JSON value that begins at `start`. The text must be valid JSON. */
export function valueEnd(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '"') return stringEnd(text, start);
  if (first !== '{' && first !== '[') return matchEnd(/[^\s,\]}]*/y, text, start);
  let depth = 0;
  let at = start;
  do {
    at = matchEnd(/[^"[\]{}]*/y, text, at);
    const letter = text.charAt(at);
    if (letter === '"') at = stringEnd(text, at);
    else {
      depth += letter === '{' || letter === '[' ? 1 : -1;
      at += 1;
    }
  } while (depth > 0 && at < text.length);
  return at;
}

/** The index of the first character from `start` on that is not white space. */
export function skipSpace(text: string, start: number): number {
  return matchEnd(/\s*/y, text, start);
}

function stringEnd(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charAt(before - 1) === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

function matchEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.exec(text);
  return pattern.lastIndex;
}
