import { basename, extname } from 'node:path';

/** The name of the notebook that a run of a notebook or program writes. @example resultName('a/report.ts'); // 'report.ipynb' */
export function resultName(path: string): string {
  return `${basename(path, extname(path))}.ipynb`;
}
