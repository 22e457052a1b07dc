import { type Dirent, readdirSync } from 'node:fs';

/** A folder that has more of them was not made for a notebook. */
const MOST = 100;

/** The names of the files of declarations beside the notebook: what they declare, every cell knows. */
export function declarationFiles(folder: string): string[] {
  const isOne = (each: Dirent): boolean => /^[^.].*\.d\.[cm]?ts$/.test(each.name) && isFile(each);
  try {
    const all = readdirSync(folder, { withFileTypes: true }).filter(isOne);
    return all
      .map(({ name }) => name)
      .sort()
      .slice(0, MOST);
  } catch {
    return [];
  }
}

/** Reading a pipe would never end. */
function isFile(each: Dirent): boolean {
  return each.isFile() || each.isSymbolicLink();
}
