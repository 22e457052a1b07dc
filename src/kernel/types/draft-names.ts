import { InputError } from '../../base/errors.js';
import { loadNative } from '../../base/packages.js';
import { isTooDeep } from '../transform/nesting-of.js';
import { type CellNames, cellNames } from './cell-names.js';

const IDENTIFIER = '[\\p{ID_Start}$_][\\p{ID_Continue}$]*';
const DECLARED = new RegExp(
  `\\b(?:const|let|var|function\\*?|class|enum|interface|type|namespace)\\s+(${IDENTIFIER})`,
  'gu',
);
const PATTERN = /\b(?:(?:const|let|var)\s*([[{][^=;]*)=|import\s+([^'";]*?)\s+from\b)/g;
const NAME = new RegExp(`(${IDENTIFIER})(?!\\s*(?::|as\\b|[\\p{ID_Continue}$]))`, 'gu');

/**
 * Reads the names of a cell. If it does not parse, as while being written, these are the names that look declared.
 *
 * @throws {InputError} If it nests so deeply that the parser would crash the process.
 * @throws {OddslabError} If the parser cannot be loaded.
 */
export async function draftNames(code: string): Promise<CellNames> {
  if (isTooDeep(code)) throw new InputError('The cell nests too deeply to be looked at.');
  // Loaded only when a cell is looked at, so that the kernel starts without it.
  const { parseSync } = await loadNative('oxc-parser', () => import('oxc-parser'));
  const { program, errors } = parseSync('cell.mts', code, { lang: 'ts', sourceType: 'module' });
  const names = cellNames(program);
  if (errors.length === 0) return names;
  names.parses = false;
  for (const [, name = ''] of code.matchAll(DECLARED)) names.declared.set(name, 'const');
  for (const [, pattern = '', clause = ''] of code.matchAll(PATTERN)) {
    for (const [, name = ''] of (pattern || clause).matchAll(NAME)) names.declared.set(name, 'const');
  }
  // Counted as exported, so that the module does not export them: a name that only looks declared must cause no error.
  names.exported = new Set(names.declared.keys());
  return names;
}
