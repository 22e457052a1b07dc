import { loadNative } from '../../load-native.js';
import { isTooDeep } from '../transform/nesting-of.js';

/** What is wrong with a text, and where: offsets in UTF-16 units. */
export interface ParsedError {
  message: string;
  start: number;
  end: number;
}

/**
 * Parses a cell; the parser is loaded by the first call.
 *
 * @returns What is wrong with it, in order; empty where it is TypeScript; undefined where it nests too deeply for the
 * parser, which would end the process.
 * @throws {OddslabError} If the parser cannot be loaded.
 */
export async function parsedErrors(code: string): Promise<ParsedError[] | undefined> {
  if (isTooDeep(code)) return undefined;
  const { parseSync } = await loadNative('oxc-parser', () => import('oxc-parser'));
  const { errors } = parseSync('cell.ts', code, { lang: 'ts', sourceType: 'module', showSemanticErrors: true });
  return errors.map(({ message, labels: [label] }) => ({ message, start: label?.start ?? 0, end: label?.end ?? 0 }));
}
