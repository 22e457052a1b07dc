import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../base/packages.js';
import { frameVerb, insteadOfMember, insteadOfName } from '../transform/other-names.js';
import { NO_MEMBER } from './finding.js';
import type { Diagnostic } from './type-service.js';

const NO_NAME = 2304;
const NO_MODULE = 2307;
/** The same of an import without names. */
const NO_SIDE_EFFECT = 2882;
/** Advice for projects, which does not fit cells: their settings are fixed and their names come from elsewhere. */
const FOR_PROJECTS = /\s*Do you need to (?:install type definitions|change your target library)\b.*/;
/** Node's own modules that the installed types lack. */
const NO_BUILTIN = /^Cannot find name '(node:[^']+)'/;
/** For `declare module` of a package without types, which works only in files that are not modules. */
const FOR_MODULES = 'To say what types it has, put this into a file beside the notebook, such as packages.d.ts.';
const FOR_DECORATORS =
  'Cells have standard decorators, unless a tsconfig.json beside the notebook says experimentalDecorators.';
const BY_CODE: readonly [codes: readonly number[], advice: string][] = [
  [[1238, 1239, 1240, 1241], FOR_DECORATORS],
  [[2664, 2665], FOR_MODULES],
];
const MISSING = /^Cannot find name '([^']+)'\.(.*)/;

/**
 * Adds to TypeScript's message the advice that helps in a cell: the questions that TypeScript adds, such as "Did you
 * forget to use 'await'?", the import of a name that oddslab exports, and how cells differ from files. Removes project
 * advice.
 *
 * @param related Further messages that TypeScript adds to this one.
 * @example
 * withAdvice({ code: 2593, message: "Cannot find name 'sum'. Do you need to install type definitions …" }, [])
 * // { code: 2304, message: "Cannot find name 'sum'. oddslab exports it: import { sum } from 'oddslab'" }
 */
export function withAdvice(
  { code, message }: { code: number; message: string },
  related: string[],
): { code: number; message: string } {
  const [, builtin] = NO_BUILTIN.exec(message) ?? [];
  if (builtin !== undefined)
    return { code: NO_MODULE, message: `Cannot find module '${builtin}' or its corresponding type declarations.` };
  const [line = '', ...rest] = message.split('\n');
  const plain = line.replace(FOR_PROJECTS, '');
  const questions = [...new Set(related)].filter((text) => /\?$/.test(text) && !message.includes(text));
  const added = [...questions, ...BY_CODE.flatMap(([codes, advice]) => (codes.includes(code) ? [advice] : []))];
  const helped = withMember(withImport(plain));
  const first = added.length === 0 ? helped : [sentence(helped), ...added].join(' ');
  const isMissing = plain !== line && MISSING.test(plain);
  return { code: isMissing ? NO_NAME : code, message: [first, ...rest].join('\n') };
}

/** A line as a whole sentence: TypeScript's lists of missing properties have no full stop. */
function sentence(line: string): string {
  return /[\w$]$/.test(line) ? `${line}.` : line;
}

function withImport(line: string): string {
  const [, name = '', guess = ''] = MISSING.exec(line) ?? [];
  const kind = name === '' ? undefined : exportedNames().get(name);
  const instead = insteadOfName(name);
  if (instead !== undefined) return `${line} ${instead}`;
  if (!kind) return line;
  const what = guess === '' ? 'it' : `'${name}'`;
  return `${line} oddslab exports ${what}: import ${kind === 'type' ? 'type ' : ''}{ ${name} } from 'oddslab'`;
}

const NO_SUCH_MEMBER = /^Property '([^']+)' does not exist on type '(.+?)'\./;

/** Adds what frames have in place of a member of those of other libraries, and other values in place of Python's. */
function withMember(line: string): string {
  const [, member = '', type = ''] = NO_SUCH_MEMBER.exec(line) ?? [];
  const instead = /^DataFrame\b/.test(type) ? frameVerb(member) : insteadOfMember(member, type);
  return instead === undefined ? line : `${line} ${instead}`;
}

/** TypeScript's numbers of what is doubtful or unknown rather than wrong: such code runs. */
const DOUBTFUL = new Set([
  ...[2664, 2665], // declared modules that do not exist or have no types
  ...[2695, 2774, 2801, 2839, 2845], // an unused operand, a function or promise as a condition, comparisons that always fail
  ...[2869, 2870, 2871, 2872, 2873, 2881], // what is never or always nullish, truthy or falsy
  ...[7005, 7006, 7008, 7010, 7011, 7013, 7016, 7019, 7031], // variables, parameters, members, functions, packages without types
  ...[7022, 7023, 7024], // variables and functions whose type depends on itself
]);

/**
 * How severe a diagnostic is. Where types block, only errors keep a cell from running: what is certainly wrong. A
 * missing package is not an error, since the run says how to install it.
 */
export function severityOf(code: number, message: string): Diagnostic['severity'] {
  const isModule = code === NO_MODULE || code === NO_SIDE_EFFECT;
  const isPackage = isModule && !/(?:module|import of) '(\.{0,2}\/|\w+:\/\/)/.test(message);
  return isPackage || DOUBTFUL.has(code) ? 'warning' : 'error';
}

/** What is called, and is no function or class. */
const NOT_CALLED = /([\p{ID_Continue}$]+) is not a (?:function|constructor)/u;
const NOT_CALLABLE = new Set([2349, 2351]);

/** What does not exist: names, modules, what modules export, and the module that JSX needs. */
const MISSING_AT_RUN = new Set([
  2304, 2305, 2307, 2503, 2552, 2580, 2581, 2582, 2584, 2614, 2724, 2732, 2792, 2875, 2882, 18004,
]);

/**
 * What the checker adds to the error with which a cell failed: not that the same name, or the same module, is missing, nor
 * that what was called there is no function.
 *
 * @returns The other diagnostics, and the question what was meant, if the checker has an answer and the error asks none.
 * @example
 * besideFault([{ code: 2552, message: "Cannot find name 'prise'. Did you mean 'price'?", … }], { name: 'ReferenceError', message: 'prise is not defined' })
 * // { rest: [], meant: "Did you mean 'price'?" }
 */
export function besideFault(
  found: readonly Diagnostic[],
  fault: { name: string; message: string; traceback: readonly string[]; at?: { line: number } },
): { rest: Diagnostic[]; meant: string | undefined } {
  const said = new Set(Array.from(fault.message.matchAll(/'([^'\n]+)'/g), ([, name = '']) => name));
  const [, undefinedName] =
    (fault.name === 'ReferenceError' && /^([\p{ID_Continue}$]+) is not defined/u.exec(fault.message)) || [];
  if (undefinedName !== undefined) said.add(undefinedName);
  const [, called] = (fault.name === 'TypeError' && NOT_CALLED.exec(fault.message)) || [];
  const isUncalled = ({ code, message, start }: Diagnostic): boolean =>
    called !== undefined &&
    start.line === fault.at?.line &&
    (NOT_CALLABLE.has(code) || (NO_MEMBER.has(code) && message.startsWith(`Property '${called}' `)));
  const isSaid = (each: Diagnostic): boolean => isUncalled(each) || isMissing(each);
  const isMissing = ({ code, message }: Diagnostic): boolean =>
    MISSING_AT_RUN.has(code) &&
    Array.from(message.replace(/Did you mean.*/, '').matchAll(/'"?([^'"\n]+)"?'/g)).some(([, name = '']) =>
      // A package that is missing is missing with its parts, such as `react/jsx-runtime`.
      [name, /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? ''].some((each) => said.has(each)),
    );
  const told = fault.traceback.join('\n');
  const questions = found.filter(isSaid).flatMap(({ message }) => /Did you mean [^?]*\?/.exec(message)?.[0] ?? []);
  const meant = /Did you mean /.test(told) ? undefined : questions[0];
  return { rest: found.filter((each) => !isSaid(each)), meant };
}

const CLAUSE = /\bexport\s+(type\s+)?\{([^}]*)\}/g;
const SPECIFIER = /^(type\s+)?(?:[\p{ID_Continue}$]+\s+as\s+)?([\p{ID_Continue}$]+)$/u;

let read: Map<string, 'value' | 'type'> | undefined;

/** The names that oddslab exports, read once from its declarations; empty if these cannot be read. */
function exportedNames(): Map<string, 'value' | 'type'> {
  read ??= namesIn(declarations());
  return read;
}

function declarations(): string {
  try {
    return readFileSync(join(packageRoot(), 'dist/index.d.ts'), 'utf8');
  } catch {
    return '';
  }
}

function namesIn(text: string): Map<string, 'value' | 'type'> {
  const names = new Map<string, 'value' | 'type'>();
  for (const [, allTypes, list = ''] of text.matchAll(CLAUSE)) {
    for (const specifier of list.split(',')) {
      const [, type, name] = SPECIFIER.exec(specifier.trim()) ?? [];
      if (name) names.set(name, allTypes || type ? 'type' : 'value');
    }
  }
  return names;
}
