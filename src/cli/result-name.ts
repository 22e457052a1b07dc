import { basename, extname } from 'node:path';

/** The file name of the notebook that a run writes. @example resultName('a/report.ts'); // 'report.ipynb' */
export function resultName(path: string): string {
  return `${basename(path, extname(path))}.ipynb`;
}
