/** The longest type that a message names whole, and about how much of a longer one it shows. */
const LONGEST = 160;
const SHOWN = 80;

/**
 * A message of the type checker with its long types in short: the first members of an object, or the first of several
 * types, and how many more there are.
 *
 * @example shortMessage("… on type '{ a: number; b: number; … }'.") // "… on type '{ a: number; b: number; … 198 more }'."
 */
export function shortMessage(message: string): string {
  return message.replace(/(?<!\w)'([^'\n]+)'/g, (whole, type: string) =>
    type.length > LONGEST ? `'${shortType(type)}'` : whole,
  );
}

function shortType(type: string): string {
  for (const separator of [' | ', ' & ']) {
    const parts = partsOf(type, separator);
    if (parts.length > 1) return shortList(parts, separator);
  }
  const [, inner, behind = ''] = /^\{ (.*?);? \}((?:\[\])*)$/.exec(type) ?? [];
  const members = inner === undefined ? [] : partsOf(inner, '; ');
  return members.length > 1 ? `{ ${shortList(members, '; ')} }${behind}` : `${type.slice(0, SHOWN)}…`;
}

/** The first parts, one at least, and how many more there are. */
function shortList(parts: readonly string[], separator: string): string {
  const shown: string[] = [];
  let length = 0;
  for (const part of parts) {
    if (shown.length > 0 && length + part.length > SHOWN) break;
    shown.push(part.length > LONGEST ? shortType(part) : part);
    length += part.length;
  }
  const more = parts.slice(shown.length).reduce((sum, part) => sum + countOf(part), 0);
  return more > 0 ? `${shown.join(separator)}${separator}… ${more} more` : shown.join(separator);
}

/** How many parts one stands for: TypeScript leaves some out itself. */
function countOf(part: string): number {
  return Number(/^\.\.\. (\d+) more \.\.\.$/.exec(part)?.[1] ?? 1);
}

/** The parts between separators that stand in no brackets and no quotes. */
function partsOf(type: string, separator: string): string[] {
  const parts: string[] = [];
  let [depth, from, isText] = [0, 0, false];
  for (let at = 0; at < type.length; at++) {
    const letter = type[at] ?? '';
    if (letter === '"') isText = !isText;
    if (isText) continue;
    if ('{([<'.includes(letter)) depth++;
    if ('})]'.includes(letter) || (letter === '>' && type[at - 1] !== '=')) depth--;
    if (depth > 0 || !type.startsWith(separator, at)) continue;
    parts.push(type.slice(from, at));
    from = at + separator.length;
    at = from - 1;
  }
  return [...parts, type.slice(from)];
}
