import { loadNative } from '../../base/packages.js';
import type { DeclaredParameter } from '../../kernel/parameters/parameters-of.js';
import { hasTag } from '../cell-tags.js';
import { type Cell, isCode, joinLines, type Notebook } from '../document.js';

/**
 * The parameters that a notebook declares in its cell tagged `parameters`, or in the first of several.
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

/** The names that the same cell declares by destructuring; they are not parameters. */
export async function destructuredNames(notebook: Notebook): Promise<string[]> {
  const cell = parametersCell(notebook);
  if (!cell) return [];
  const { destructuredNamesOf } = await loadReader();
  return destructuredNamesOf(joinLines(cell.source));
}

/** Loads the parser only when it is needed, since most runs set no parameters. */
function loadReader() {
  return loadNative('oxc-parser', () => import('../../kernel/parameters/parameters-of.js'));
}

function parametersCell({ cells }: Notebook): Cell | undefined {
  return cells.find((cell) => isCode(cell) && hasTag(cell, 'parameters'));
}
