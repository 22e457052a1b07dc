import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/** What a tsconfig.json says of code that it is for and that changes what runs. */
export interface ProjectOptions {
  /** Whether decorators are the older ones of TypeScript. */
  experimentalDecorators: boolean;
  /** Whether the older ones learn the types of what they decorate. */
  emitDecoratorMetadata: boolean;
  /** Whether fields are assigned to instances, on which accessors may wait for them, and not defined there. */
  assignsFields: boolean;
  /** How JSX becomes calls. */
  jsx: { runtime: 'automatic' | 'classic'; importSource: string; pragma?: string; pragmaFrag?: string };
}

/** What holds where no tsconfig.json says otherwise. */
export const NO_PROJECT: ProjectOptions = {
  experimentalDecorators: false,
  emitDecoratorMetadata: false,
  assignsFields: false,
  jsx: { runtime: 'automatic', importSource: 'react' },
};

/**
 * Reads the options of code in a folder: by the tsconfig.json there, else by the nearest one above, but not above the
 * folder of the project, which has a package.json. A file that cannot be read counts as none.
 */
export function projectOptions(folder: string): ProjectOptions {
  const file = configOf(folder);
  const given = file === undefined ? {} : compilerOptions(file);
  const text = (name: string): string | undefined => (typeof given[name] === 'string' ? given[name] : undefined);
  const [pragma, pragmaFrag] = [text('jsxFactory'), text('jsxFragmentFactory')];
  return {
    experimentalDecorators: given.experimentalDecorators === true,
    emitDecoratorMetadata: given.experimentalDecorators === true && given.emitDecoratorMetadata === true,
    assignsFields: given.experimentalDecorators === true && !definesFields(given),
    jsx: {
      runtime: given.jsx === 'react' ? 'classic' : 'automatic',
      importSource: text('jsxImportSource') ?? installedJsx(folder),
      ...(pragma === undefined ? {} : { pragma }),
      ...(pragmaFrag === undefined ? {} : { pragmaFrag }),
    },
  };
}

/** Without the option, as TypeScript does for the version of JavaScript that is asked for; cells run the newest. */
function definesFields({ useDefineForClassFields: given, target }: Options): boolean {
  if (typeof given === 'boolean') return given;
  return typeof target !== 'string' || !/^es(?:[356]|20(?:1\d|2[01]))$/i.test(target);
}

/** The package whose elements JSX makes where nothing says: React, or Preact in a folder that has that alone. */
function installedJsx(folder: string): string {
  const folders = createRequire(join(folder, '_')).resolve.paths('react') ?? [];
  const isThere = (name: string): boolean => folders.some((each) => existsSync(join(each, name, 'package.json')));
  return !isThere('react') && isThere('preact') ? 'preact' : 'react';
}

/** The paths of a project that has some: by their patterns, as full paths. */
export interface PathMap {
  paths: Record<string, string[]>;
  /** Where names without a pattern are looked for; undefined without `baseUrl`. */
  base: string | undefined;
}

/** The `paths` and `baseUrl` that hold for code in a folder; see {@link projectOptions}. */
export function pathMap(folder: string): PathMap {
  const file = configOf(folder);
  const { paths, baseUrl } = file === undefined ? {} : compilerOptions(file);
  const isMap = typeof paths === 'object' && paths !== null;
  return {
    paths: isMap ? (paths as Record<string, string[]>) : {},
    base: typeof baseUrl === 'string' ? baseUrl : undefined,
  };
}

/**
 * The full paths, without endings, that a tsconfig.json gives for an import of a package's form, the best first: those of
 * the pattern with the longest text before its star, else beneath `baseUrl`. Empty where none says anything.
 */
export function pathAliases(specifier: string, folder: string): string[] {
  if (/^(\.|\/|#|\w+:)/.test(specifier)) return [];
  const { paths, base } = pathMap(folder);
  const matches = Object.keys(paths).filter((pattern) => starOf(specifier, pattern) !== undefined);
  const [best] = matches.sort((a, b) => beforeStar(b) - beforeStar(a));
  if (best !== undefined) {
    const middle = starOf(specifier, best) ?? '';
    return (paths[best] ?? []).map((each) => each.replaceAll('*', middle));
  }
  return base === undefined ? [] : [join(base, specifier)];
}

/** A pattern without a star is the most certain. */
function beforeStar(pattern: string): number {
  const at = pattern.indexOf('*');
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}

/** What the star of a pattern stands for in a text; empty without a star, undefined if the text does not match. */
export function starOf(text: string, pattern: string): string | undefined {
  const [start = '', end] = pattern.split('*');
  if (end === undefined) return text === pattern ? '' : undefined;
  const isMatch = text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
  return isMatch ? text.slice(start.length, text.length - end.length) : undefined;
}

function configOf(folder: string): string | undefined {
  const file = join(folder, 'tsconfig.json');
  if (existsSync(file)) return file;
  const parent = dirname(folder);
  return parent === folder || existsSync(join(folder, 'package.json')) ? undefined : configOf(parent);
}

type Options = Record<string, unknown>;

/** The options of a file over those of the files that it extends. */
function compilerOptions(file: string, seen: readonly string[] = []): Options {
  if (seen.includes(file)) return {};
  const config = readConfig(file);
  const bases = [config.extends ?? []].flat().flatMap((each) => baseOf(String(each), file) ?? []);
  return Object.assign(
    {},
    ...bases.map((base) => compilerOptions(base, [...seen, file])),
    placed(config, dirname(file)),
  );
}

/** The options of one file, with its paths as full paths. */
function placed({ compilerOptions: given = {} }: { compilerOptions?: Options }, folder: string): Options {
  const { paths, baseUrl } = given;
  const base = typeof baseUrl === 'string' ? resolve(folder, baseUrl) : undefined;
  const patterns = Object.entries(Object(paths)).map(([pattern, targets]) => {
    const all = Array.isArray(targets) ? targets : [];
    return [pattern, all.map((each) => resolve(base ?? folder, String(each)))] as const;
  });
  const isMap = typeof paths === 'object' && paths !== null;
  return {
    ...given,
    ...(base === undefined ? {} : { baseUrl: base }),
    ...(isMap ? { paths: Object.fromEntries(patterns) } : {}),
  };
}

function baseOf(specifier: string, file: string): string | undefined {
  const { resolve } = createRequire(file);
  const wanted = [specifier, `${specifier}.json`, `${specifier}/tsconfig.json`];
  for (const each of wanted) {
    try {
      const path = resolve(each);
      if (path.endsWith('.json')) return path;
    } catch {}
  }
  return undefined;
}

type Config = { extends?: unknown; compilerOptions?: Options };

function readConfig(file: string): Config {
  try {
    return Object(JSON.parse(plainConfig(file)));
  } catch {
    return {};
  }
}

/** The text of a file without what JSON does not allow, of which each character stands where it stood. */
function plainConfig(file: string): string {
  return readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .replace(COMMENT, (text) => (text.startsWith('"') ? text : text.replace(/\S/g, ' ')))
    .replace(LAST_COMMA, (text, end) => (end === undefined ? text : text.replace(',', ' ')));
}

/** What is wrong in a tsconfig.json that cannot be read. */
export interface ConfigFault {
  file: string;
  /** Undefined where the system's own message tells no place. */
  at: { line: number; column: number } | undefined;
  message: string;
}

/** The fault by which nothing is known of the tsconfig.json that holds for a folder, or of one that it extends. */
export function configFault(folder: string): ConfigFault | undefined {
  const first = configOf(folder);
  const files = first === undefined ? [] : [first];
  for (const file of files) {
    const fault = faultIn(file);
    if (fault) return fault;
    const bases = [readConfig(file).extends ?? []].flat().flatMap((each) => baseOf(String(each), file) ?? []);
    for (const base of bases) if (!files.includes(base)) files.push(base);
  }
  return undefined;
}

function faultIn(file: string): ConfigFault | undefined {
  let text = '';
  try {
    text = plainConfig(file);
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const said = String(Reflect.get(Object(error), 'message'));
    const [, position] = /at position (\d+)/.exec(said) ?? (/end of JSON/.test(said) ? ['', text.length] : []);
    const before = text.slice(0, Number(position)).split('\n');
    const at = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    const message = said.replace(/ \(line \d+ column \d+\)$/, '').replace(/ in JSON at position \d+$/, '');
    return { file, at: position === undefined ? undefined : at, message };
  }
}

const TEXT = '"(?:[^"\\\\]|\\\\.)*"';
const COMMENT = new RegExp(`${TEXT}|//[^\\n]*|/\\*[\\s\\S]*?\\*/`, 'g');
const LAST_COMMA = new RegExp(`${TEXT}|,\\s*([}\\]])`, 'g');
