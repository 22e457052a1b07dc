import type { Program } from 'oxc-parser';
import { loadNative } from '../../base/packages.js';
import { isTooDeep } from '../transform/nesting-of.js';

/** A cell as the parser reads it. */
export interface ParsedCell {
  program: Program;
  /** What is wrong with it; empty if it is valid TypeScript. */
  errors: ParsedError[];
}

/** An error's range in a text, in UTF-16 units. */
export interface ParsedError {
  start: number;
  end: number;
}

/**
 * Parses a cell; the first call loads the parser.
 *
 * @param options.isGrammarAlone Leaves out errors of meaning, such as a name that is declared twice. Default false.
 * @returns Undefined if the cell nests too deeply: the parser would crash the process.
 * @throws {OddslabError} If the parser cannot be loaded.
 */
export async function parseCell(
  code: string,
  { isGrammarAlone = false }: { isGrammarAlone?: boolean } = {},
): Promise<ParsedCell | undefined> {
  if (isTooDeep(code)) return undefined;
  const { parseSync } = await loadNative('oxc-parser', () => import('oxc-parser'));
  const parsed = parseSync('cell.ts', code, { lang: 'ts', sourceType: 'module', showSemanticErrors: !isGrammarAlone });
  const errors = parsed.errors.map(({ labels: [label] }) => ({ start: label?.start ?? 0, end: label?.end ?? 0 }));
  return {
    errors,
    get program() {
      return parsed.program;
    },
  };
}
