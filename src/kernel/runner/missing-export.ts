import { nearest } from '../../base/nearest.js';
import { CELL_GLOBALS } from '../display/cell-globals.js';

/** The names of a module that are told before the others are only counted. */
const MOST_NAMED = 20;

/**
 * What to say where a module lacks a name that is imported from it: the name that is most like it, and what there is.
 *
 * @param exported The names that the module exports.
 */
export function missingExport(name: string, specifier: string, exported: readonly string[]): string {
  const meant = nearest(name, exported);
  const first = meant === undefined ? [] : [meant];
  const all = [...first, ...exported.filter((each) => each !== meant)];
  const more = all.length - MOST_NAMED;
  const known = [...all.slice(0, MOST_NAMED), ...(more > 0 ? [`… (${more} more)`] : [])].join(', ');
  const question = meant === undefined ? '' : `Did you mean '${meant}'?`;
  const told = `The module '${specifier}' has no export named '${name}'. ${needless([name]) ?? question}`.trimEnd();
  return `${told} It exports: ${known || 'nothing'}`;
}

/** What to say of names that every cell has without an import; undefined if none is such a name. */
export function needless(names: readonly string[]): string | undefined {
  const own = names.find((each) => CELL_GLOBALS.includes(each));
  return own === undefined ? undefined : `${own} needs no import: every cell has it.`;
}
