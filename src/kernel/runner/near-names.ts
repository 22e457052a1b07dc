import { nearest } from '../../base/nearest.js';

/** Whether a name is one slip away from another. Of short names, one with another letter is another name: `ws`, `pg`. */
export function isSlipOf(name: string, other: string, least: number): boolean {
  if (!isOneEdit(name, other)) return false;
  const isReordered = [...name].sort().join('') === [...other].sort().join('');
  return isReordered || name.length > other.length || (name.length >= least && other.length > 3);
}

/** Whether one letter is missing, added or another, or two neighbours are swapped. */
function isOneEdit(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [one, other] = [a.slice(at), b.slice(at)];
  if (a === b) return false;
  const isSwapped = one[0] === other[1] && one[1] === other[0] && one.slice(2) === other.slice(2);
  return isSwapped || one.slice(1) === other || one === other.slice(1) || one.slice(1) === other.slice(1);
}

/**
 * Of the paths that there are, the one that a written path most likely means: one like it in the same folder, else one
 * of the same name elsewhere, else one that is a slip away in each part. Undefined if there is none, or if the written
 * one is a folder of some.
 *
 * @param written Parts between slashes, without an ending; so are the paths.
 * @example nearestPath('lib/feess', ['lib/deep/odds', 'lib/fees']); // 'lib/fees'
 */
export function nearestPath(written: string, paths: readonly string[]): string | undefined {
  if (within(written, paths).length > 0) return undefined;
  const [parent, last] = split(written);
  const beside = paths.filter((each) => isSame(split(each)[0], parent));
  const near = nearest(
    last,
    beside.map((each) => split(each)[1]),
  );
  if (near !== undefined) return beside.find((each) => split(each)[1] === near);
  return paths.find((each) => isSame(split(each)[1], last)) ?? paths.find((each) => isSlippedPath(written, each));
}

/** Those of some paths that lie in a folder. */
export function within(folder: string, paths: readonly string[]): string[] {
  return paths.filter((each) => each.startsWith(`${folder}/`));
}

/** Whether each part of a path is that of another, or one slip away from it, and the paths are not the same. */
export function isSlippedPath(written: string, path: string): boolean {
  const [parts, others] = [written.split('/'), path.split('/')];
  if (parts.length !== others.length) return false;
  return parts.every((part, at) => isSame(part, others[at] ?? '') || isSlipOf(part, others[at] ?? '', 4));
}

function split(path: string): [parent: string, last: string] {
  const at = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, at)), path.slice(at + 1)];
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Names that are told before the others are only counted. */
const MOST_NAMED = 5;

/** Names in quotes, the first few of many. @example listed(['./a', './b']); // "'./a', './b'" */
export function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const shown = names.slice(0, MOST_NAMED).map((each) => `'${each}'`);
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
