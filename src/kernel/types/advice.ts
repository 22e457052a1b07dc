import { exportedNames } from './exported-names.js';

const NO_NAME = 2304;
const NO_MODULE = 2307;
/** Advice for projects: the settings of a cell are ours, and its names come from elsewhere. */
const FOR_PROJECTS = /\s*Do you need to (?:install type definitions|change your target library)\b.*/;
/** Of Node's own modules that its types do not know. */
const NO_BUILTIN = /^Cannot find name '(node:[^']+)'/;
/** Of `declare module` for what has no types of its own, which only files that are no modules can give it. */
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
 * Gives what TypeScript says of a cell the advice that helps there: what TypeScript asks beside it, as "Did you forget
 * to use 'await'?", the import of a name that oddslab exports, and what is otherwise in cells than in files. Advice for
 * projects is left out.
 *
 * @param related What TypeScript says beside the message.
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
  const first = [withImport(plain), ...questions, ...(BY_CODE[code] === undefined ? [] : [BY_CODE[code]])].join(' ');
  const isMissing = plain !== line && MISSING.test(plain);
  return { code: isMissing ? NO_NAME : code, message: [first, ...rest].join('\n') };
}

function withImport(line: string): string {
  const [, name = '', guess = ''] = MISSING.exec(line) ?? [];
  const kind = name === '' ? undefined : exportedNames().get(name);
  if (!kind) return line;
  const what = guess === '' ? 'it' : `'${name}'`;
  return `${line} oddslab exports ${what}: import ${kind === 'type' ? 'type ' : ''}{ ${name} } from 'oddslab'`;
}
