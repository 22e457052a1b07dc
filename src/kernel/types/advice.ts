import { exportedNames } from './exported-names.js';

const NO_NAME = 2304;
const NO_MODULE = 2307;
/** Advice for projects, which does not fit cells: their settings are fixed and their names come from elsewhere. */
const FOR_PROJECTS = /\s*Do you need to (?:install type definitions|change your target library)\b.*/;
/** Node's own modules that the installed types lack. */
const NO_BUILTIN = /^Cannot find name '(node:[^']+)'/;
/** For `declare module` of a package without types, which works only in files that are not modules. */
const FOR_MODULES = 'To say what types it has, put this into a file beside the notebook, such as packages.d.ts.';
const FOR_DECORATORS = "Cells have TypeScript's older decorators (experimentalDecorators).";
const BY_CODE: Readonly<Record<number, string>> = {
  1238: FOR_DECORATORS,
  1239: FOR_DECORATORS,
  1240: FOR_DECORATORS,
  1241: FOR_DECORATORS,
  2664: FOR_MODULES,
  2665: FOR_MODULES,
};
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
  const added = [...questions, ...(BY_CODE[code] === undefined ? [] : [BY_CODE[code]])];
  const first = added.length === 0 ? withImport(plain) : [sentence(withImport(plain)), ...added].join(' ');
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
  if (!kind) return line;
  const what = guess === '' ? 'it' : `'${name}'`;
  return `${line} oddslab exports ${what}: import ${kind === 'type' ? 'type ' : ''}{ ${name} } from 'oddslab'`;
}
