import type { Program } from 'oxc-parser';
import { assignmentTargets } from './assignment-targets.js';
import type { Edits } from './edits.js';
import { type FreeIdentifier, freeIdentifiers } from './free-identifiers.js';
import { nameInScript } from './reserved-names.js';
import type { TopLevelNames } from './top-level-names.js';

/** The helpers that the transform calls on `babelHelpers`, even if a cell declares that name. */
const HELPERS = new Set(['decorate', 'decorateParam', 'usingCtx']);

/**
 * Rewrites the uses of a cell's global names: reserved names are renamed, assigning to a constant throws as it would in
 * a module, and reading an import that its module lacks throws an error that says so.
 */
export function rewriteNames(program: Program, names: TopLevelNames, edits: Edits): void {
  const { renamed, used } = names;
  const targets = assignmentTargets(program);
  const isConstant = (name: string): boolean => names.constants.has(name) || used.constants.has(name);
  const wanted = new Set([...renamed, ...used.missing]);
  for (const name of targets.values()) if (isConstant(name)) wanted.add(name);
  if (wanted.size === 0) return;
  for (const each of freeIdentifiers(program, wanted)) {
    if (each.name === 'babelHelpers' && each.member && HELPERS.has(each.member)) continue;
    const name = inScript(each.name, renamed);
    const isRefused = targets.has(each.start) && isConstant(each.name);
    if (isRefused) replaceUse(each, `__oddslab__.constant(() => ${name}).value`, edits);
    else if (used.missing.has(each.name)) replaceUse(each, `__oddslab__.missing(${JSON.stringify(each.name)})`, edits);
    else if (name !== each.name) replaceUse(each, name, edits);
    if (name !== each.name && each.anonymous) {
      const [before, after] = named(each.name);
      edits.wrap(each.anonymous.start, each.anonymous.end, before, after);
    }
  }
}

/** The name under which the cells' code runs. */
export function inScript(name: string, renamed: ReadonlySet<string>): string {
  return renamed.has(name) ? nameInScript(name) : name;
}

/** The text around an anonymous function or class that names it, with no name in scope inside it. */
export function named(name: string): [before: string, after: string] {
  const key = `[${JSON.stringify(name)}]`;
  return [`({ ${key}: `, ` })${key}`];
}

function replaceUse({ name, start, end, isShorthand }: FreeIdentifier, text: string, edits: Edits): void {
  edits.replace(start, end, isShorthand ? `${name}: ${text}` : text);
}
