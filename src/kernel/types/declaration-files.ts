import { type Dirent, readdirSync } from 'node:fs';

/** A folder with more declaration files was not made for a notebook. */
const MOST = 100;

/** The names of the declaration files beside the notebook: every cell knows what they declare. */
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

/** Whether it can be read; reading a pipe would never end. */
function isFile(each: Dirent): boolean {
  return each.isFile() || each.isSymbolicLink();
}
