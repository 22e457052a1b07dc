import { readdirSync } from 'node:fs';

/** A folder that has more of them was not made for a notebook. */
const MOST = 100;

/** The names of the files of declarations beside the notebook: what they declare, every cell knows. */
export function declarationFiles(folder: string): string[] {
  const isOne = (name: string): boolean => /^[^.].*\.d\.[cm]?ts$/.test(name);
  try {
    return readdirSync(folder).filter(isOne).sort().slice(0, MOST);
  } catch {
    return [];
  }
}
