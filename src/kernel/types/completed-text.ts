/**
 * What is being written at an offset of a text.
 *
 * @returns The part of a name, or of a path in an import, before the offset, its start and whether it follows a dot.
 * @example completedText('a.len', 5); // { prefix: 'len', start: 2, isMember: true }
 */
export function completedText(code: string, offset: number): { prefix: string; start: number; isMember: boolean } {
  const before = code.slice(0, offset);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const [, path] = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(?:"|')([^"']*)$/.exec(line) ?? [];
  // Paths are completed folder by folder; a scope counts as one.
  const prefix = path === undefined ? nameBefore(before) : path.slice(path.lastIndexOf('/') + 1);
  const start = offset - prefix.length;
  return { prefix, start, isMember: /(^|[^.])\.$/.test(code.slice(0, start)) };
}

function nameBefore(text: string): string {
  // The search must not begin again within a word, which may be data of many characters.
  return /(?:#|@|(?<![\p{ID_Continue}$]))[\p{ID_Continue}$]*$/u.exec(text)?.[0].replace(/^@/, '') ?? '';
}
