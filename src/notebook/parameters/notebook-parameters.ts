import type { DeclaredParameter } from '../../kernel/parameters/parameters-of.js';
import { loadNative } from '../../load-native.js';
import { hasTag } from '../cell-tags.js';
import { type Cell, isCode, joinLines, type Notebook } from '../document.js';

/**
 * What the cell of a notebook that is tagged `parameters` declares, the first one where there are several.
 *
 * @param name How errors call the notebook.
 * @returns Undefined if no cell has the tag.
 * @throws {InputError} If that cell does not parse.
 * @throws {OddslabError} If the parser cannot be loaded.
 */
export async function notebookParameters(notebook: Notebook, name: string): Promise<DeclaredParameter[] | undefined> {
  const cell = parametersCell(notebook);
  if (!cell) return undefined;
  const { parametersOf } = await loadReader();
  return parametersOf(joinLines(cell.source), `${name}, the cell tagged "parameters"`);
}

/** The names that the same cell declares by taking a value apart, which are no parameters. */
export async function destructuredNames(notebook: Notebook): Promise<string[]> {
  const cell = parametersCell(notebook);
  if (!cell) return [];
  const { destructuredNamesOf } = await loadReader();
  return destructuredNamesOf(joinLines(cell.source));
}

/** The parser is loaded here, since most runs set nothing. */
function loadReader() {
  return loadNative('oxc-parser', () => import('../../kernel/parameters/parameters-of.js'));
}

function parametersCell({ cells }: Notebook): Cell | undefined {
  return cells.find((cell) => isCode(cell) && hasTag(cell, 'parameters'));
}
