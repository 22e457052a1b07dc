import { UsageError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { greatestOf } from '../../base/many.js';
import { nearest } from '../../base/nearest.js';
import { loadNative } from '../../base/packages.js';
import type { ParameterShape } from '../../kernel/parameters/parameter-shape.js';
import type { DeclaredParameter } from '../../kernel/parameters/parameters-of.js';
import { type Cell, hasTag, isCode, joinLines, type Notebook } from '../format/nbformat.js';
import { shapeText } from './fit-value.js';
import { type GivenParameter, isName } from './given-parameters.js';

/**
 * The parameters that a notebook declares in its first cell tagged `parameters`; undefined if no cell has the tag.
 *
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

/** Describes the parameters of a notebook for a reader: one line each, with type, default and its comment. */
export function describeParameters(path: string, declared: DeclaredParameter[] | undefined): string {
  if (!declared) return `${path}\n  no parameters: none of its cells has the tag "parameters"\n`;
  if (declared.length === 0) return `${path}\n  no parameters: the cell tagged "parameters" declares none\n`;
  const heads = declared.map(({ name, statedType, defaultText, shape }) => {
    const type = statedType ?? typeText(shape);
    return `  ${name}: ${type}${defaultText === undefined ? '' : ` = ${defaultText}`}`;
  });
  const width = Math.min(48, greatestOf(heads.map((head) => head.length)));
  const lines = declared.map((parameter, index) => {
    const head = itemAt(heads, index);
    const meaning = [parameter.description, choiceText(parameter)].filter(Boolean).join('; ');
    return meaning ? `${head.padEnd(width)}  ${meaning}` : head;
  });
  return [path, ...lines, ''].join('\n');
}

/** The values that a type allows, if the type's name does not show them. */
function choiceText({ statedType = '', shape }: DeclaredParameter): string {
  const isChoice =
    shape.kind === 'enum' || (shape.kind === 'union' && shape.of.every(({ kind }) => kind === 'literal'));
  return isChoice && (shape.kind === 'enum' || isName(statedType)) ? `one of ${shapeText(shape)}` : '';
}

function typeText(shape: ParameterShape): string {
  if (shape.kind === 'array') return `${shape.of.kind === 'union' ? `(${typeText(shape.of)})` : typeText(shape.of)}[]`;
  if (shape.kind === 'object') {
    const fields = Object.entries(shape.fields).map(([name, field]) => `${name}: ${typeText(field.shape)}`);
    return fields.length > 0 ? `{ ${fields.join('; ')} }` : 'object';
  }
  if (shape.kind === 'union') return shape.of.map(typeText).join(' | ');
  if (shape.kind === 'enum') return shape.members[0]?.source.split(/[.[]/, 1)[0] ?? 'enum';
  if (shape.kind === 'foreign') return shape.name;
  if (shape.kind === 'unchecked') return 'unknown';
  return shape.kind === 'date' ? 'Date' : shape.kind;
}

/**
 * Refuses parameters that no notebook of a run declares. A notebook without a cell tagged `parameters` takes any.
 *
 * @param notebooks `apart`: the names that the notebook's parameters cell declares by destructuring.
 * @throws {UsageError} If a parameter is unknown; the message names the most similar one that is declared.
 */
export function refuseUnknownParameters(
  given: GivenParameter[],
  notebooks: readonly { path: string; declared: DeclaredParameter[] | undefined; apart?: string[] }[],
): void {
  if (notebooks.some(({ declared }) => declared === undefined)) return;
  const known = [...new Set(notebooks.flatMap(({ declared = [] }) => declared.map(({ name }) => name)))];
  const unknown = given.find(({ name }) => !known.includes(name));
  if (!unknown) return;
  if (notebooks.some(({ apart }) => apart?.includes(unknown.name))) {
    throw new UsageError(
      `${unknown.where}: ${unknown.name} is declared by taking a value apart, and only plain variables are ` +
        `parameters: write const ${unknown.name} = … instead.`,
    );
  }
  const meant = nearest(unknown.name, known);
  const which = notebooks.length === 1 ? notebooks[0]?.path : 'any of the notebooks';
  const remedy = meant ? `Did you mean ${meant}?` : `There ${known.length > 0 ? `is ${known.join(', ')}` : 'is none'}.`;
  throw new UsageError(`${unknown.where}: ${unknown.name} is no parameter of ${which}. ${remedy}`);
}
