import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { types } from 'node:util';
import { SyntheticModule } from 'node:vm';
import { type ParseResult, parseSync } from 'oxc-parser';
import { packageRoot } from '../../base/packages.js';
import { LineIndex } from '../transform/source-lines.js';
import { stripTypes } from '../transform/strip-types.js';
import type { Place } from '../wire/runner.js';
import type { Namespace } from './import-package.js';
import { knownProject } from './known-project.js';
import { compileCommonJs } from './node-internals.js';
import { moduleSyntaxError, placeError, type SourceRegistry } from './stack.js';

/** What a module takes from another. */
export interface ModuleRequest {
  /** Where it names the other module. */
  place: Place;
  /** Where it names each export that it takes; some may be types. */
  names: Map<string, Place>;
  /** Whether it takes all exports, under one name or to re-export them. */
  isWhole: boolean;
}

/** What a module takes from others, by specifier; `name` is its own in traces. */
export function moduleRequests(source: string, name: string, { module }: ParseResult): Map<string, ModuleRequest> {
  const index = new LineIndex(source);
  const requests = new Map<string, ModuleRequest>();
  const placeOf = (offset: number): Place => ({ name, ...index.position(offset) });
  const requestOf = ({ value, start }: { value: string; start: number }): ModuleRequest => {
    const request = requests.get(value) ?? { place: placeOf(start), names: new Map(), isWhole: false };
    requests.set(value, request);
    return request;
  };
  const take = (request: ModuleRequest, { name: exported, kind, start }: Imported): void => {
    const wanted = kind === 'Default' ? 'default' : exported;
    if (kind === 'NamespaceObject' || kind.startsWith('All')) request.isWhole = true;
    else if (wanted !== null && !request.names.has(wanted)) request.names.set(wanted, placeOf(start ?? 0));
  };
  for (const { moduleRequest, entries } of module.staticImports) {
    const request = requestOf(moduleRequest);
    for (const { importName, localName } of entries)
      take(request, { ...importName, start: importName.start ?? localName.start });
  }
  for (const { moduleRequest, importName } of module.staticExports.flatMap(({ entries }) => entries)) {
    if (moduleRequest) take(requestOf(moduleRequest), importName);
  }
  return requests;
}

/** The names that a module exports; not those of which it takes all from another. */
export function exportedNames({ module }: ParseResult): string[] {
  const entries = module.staticExports.flatMap((each) => each.entries).filter(({ isType }) => !isType);
  return entries.flatMap(
    ({ exportName }) => exportName.name ?? (String(exportName.kind) === 'Default' ? ['default'] : []),
  );
}

interface Imported {
  kind: string;
  name: string | null;
  start: number | null;
}

/** Wraps what V8 does not know as a module, such as a CommonJS package, in a module; reads only what is requested. */
export function moduleOf(namespace: Namespace, request?: ModuleRequest): SyntheticModule {
  const whole = Object(namespace.default) as Namespace;
  const taken = [...(request?.names.keys() ?? [])].filter((name) => name in namespace || name in whole);
  const names = new Set(request && !request.isWhole ? taken : [...taken, ...Object.keys(namespace)]);
  return new SyntheticModule([...names], function (this: SyntheticModule) {
    for (const name of names) this.setExport(name, name in namespace ? namespace[name] : whole[name]);
  });
}

/** Makes a value that `import()` may return; Node accepts nothing else. */
export async function asModule(namespace: Namespace): Promise<Namespace | SyntheticModule> {
  if (types.isModuleNamespaceObject(namespace)) return namespace;
  const module = moduleOf(namespace);
  await module.link(() => module);
  await module.evaluate();
  return module;
}

/** The exports of a JSON file, by its path and name in traces: its value and, as in TypeScript, its properties. */
export function readJsonModule(path: string, name: string, registry: SourceRegistry): Namespace {
  const source = readFileSync(path, 'utf8');
  try {
    const whole: unknown = JSON.parse(source);
    return { ...(typeof whole === 'object' && !Array.isArray(whole) ? whole : {}), default: whole };
  } catch (cause) {
    registry.add(path, { name, source, position: (position) => position });
    const reason = cause instanceof Error ? cause.message.replace(SURPLUS, '') : String(cause);
    const error = new SyntaxError(`${name} is no JSON: ${reason}`);
    placeError(error, { name, ...new LineIndex(source).position(faultAt(source, 0, source.length)) });
    throw error;
  }
}

/** The parts of V8's message that are shown in another way: the place and the code around it. */
const SURPLUS = /(?: in JSON)? at position .*|, (?:\.\.\.)?"[\s\S]*/;

/** The offset at which a text stops being the beginning of JSON, which V8 does not always tell. */
function faultAt(source: string, from: number, to: number): number {
  if (from >= to) return from;
  const middle = Math.floor((from + to) / 2);
  return isBeginning(source.slice(0, middle + 1)) ? faultAt(source, middle + 1, to) : faultAt(source, from, middle);
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    return position === undefined
      ? /^SyntaxError: (Unexpected end|Unterminated)/.test(String(error))
      : Number(position) >= text.length;
  }
}

/** Lets `require` load `.cts` files and registers their source. */
export function requireTypeScript(registry: SourceRegistry, nameOf: (path: string) => string): void {
  const { extensions } = createRequire(`${packageRoot()}/_`);
  extensions['.cts'] = (module, path) => {
    const { source, stripped } = read(path);
    const { code } = registered(registry, path, { name: nameOf(path), source }, stripped);
    compileCommonJs(module, code.replace(MARK, ''), path);
  };
}

/** Registers the user's source under the URL of what is made from it, which it returns; throws if it is not valid. */
export function registered(
  registry: SourceRegistry,
  url: string,
  user: { name: string; source: string },
  made: ReturnType<typeof stripTypes>,
): Exclude<ReturnType<typeof stripTypes>, { fault: unknown }> {
  const isWrong = 'fault' in made;
  registry.add(url, { ...user, position: isWrong ? (position) => position : made.position });
  if (isWrong) throw moduleSyntaxError(made.fault, user.name);
  return made;
}

/** Whether a `.cts` file is CommonJS: one that imports or exports values in ES syntax is not. */
export function isCommonTypeScript(path: string): boolean {
  const { stripped } = read(path);
  if ('fault' in stripped) return false;
  const { staticImports, staticExports } = parseSync('module.js', stripped.code, { sourceType: 'module' }).module;
  return staticImports.length === 0 && staticExports.every(({ entries }) => entries.length === 0);
}

/** What the transform appends once it has removed all module syntax from a text. */
const MARK = /\bexport \{\};\s*$/;

function read(path: string): { source: string; stripped: ReturnType<typeof stripTypes> } {
  const source = readFileSync(path, 'utf8');
  const project = () => knownProject(dirname(path));
  const stripped = stripTypes(source, { filename: path, lang: 'ts', keepImports: false, isCommonJs: true, project });
  return { source, stripped };
}
