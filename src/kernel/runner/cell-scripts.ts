import { runInThisContext } from 'node:vm';
import { ASKING, type Asking } from '../transform/asking-names.js';
import type { ProjectOptions } from '../transform/project-options.js';
import type { SyntaxFault } from '../transform/strip-types.js';
import { nestingOf } from '../transform/syntax-tree.js';
import { type EarlierNames, inScript, type TopLevelNames, withWrittenNames } from '../transform/top-level-names.js';
import { transformCell } from '../transform/transform.js';
import { evaluateScript, type Stopped } from './repl-scripts.js';
import type { SourceRegistry, UserScript } from './stack.js';

/** The names of earlier cells that matter to later ones; {@link EarlierNames}, to be changed. */
type Earlier = { [Kind in keyof EarlierNames]: Set<string> };

/** How a cell's code ended: with the value of its last expression, or why there is none. */
type ScriptEnd =
  | { status: 'ok'; value: unknown; isSilenced: boolean }
  | Stopped
  | { status: 'uncompiled'; fault: SyntaxFault };

/** The greatest nesting depth. The native parser crashes the process at somewhat more; V8 refuses less. */
const DEEPEST = 8000;
const TOO_DEEP: SyntaxFault = {
  message: 'The parts of this code lie too deep within each other to be read. Break it up into several statements.',
  position: { line: 1, column: 1 },
};

let ours: ReadonlyMap<string, unknown> | undefined;

/**
 * The names of the global functions that ask the reader, but for those that the user's code has replaced. To be called
 * once before any of that runs.
 */
export function ownAsking(): string[] {
  ours ??= new Map(ASKING.map((name) => [name, Reflect.get(globalThis, name)]));
  return ASKING.filter((name) => Reflect.get(globalThis, name) === ours?.get(name));
}

/**
 * Makes the function that evaluates the TypeScript source of cells, one after another. The scripts put their value into
 * `bridge`; `missing` are imported names that their modules lack, of which those are removed that a cell declares again.
 * The names that cells declare are added to `declared`; `project` gets what the tsconfig.json beside the notebook says.
 */
export function cellScripts(
  registry: SourceRegistry,
  bridge: { value: unknown },
  { missing, declared }: { missing: Set<string>; declared: DeclaredNames },
  project: () => ProjectOptions,
) {
  const earlier: Earlier = { constants: new Set(), vars: new Set(), renamed: new Set(), missing };
  const taken = new Set<string>();
  /** Names of earlier cells for functions that ask the reader. */
  let aliases: Asking = new Map();
  const asking = () => {
    const own = ownAsking().filter((name) => !taken.has(name));
    return new Map([...own.map((name) => [name, name] as const), ...aliases]);
  };
  /** @param name The script's name in traces: `cell 3`; the URL is its name in stacks. */
  return async function evaluate(source: string, url: string, name: string, isThorough = false): Promise<ScriptEnd> {
    // They are defined once the first cell runs.
    ownAsking();
    const cell =
      nestingOf(source) > DEEPEST
        ? { fault: TOO_DEEP }
        : transformCell(source, earlier, { isThorough, project, asking });
    const used = 'fault' in cell ? undefined : cell.names.used;
    registry.add(url, { name, source, position: positionIn(source, used, { isThorough, project }) });
    if ('fault' in cell) return { status: 'uncompiled', fault: cell.fault };
    bridge.value = undefined;
    const takeBack = declare(earlier, cell.names);
    const forget = note(declared, cell.names, source);
    const ended = await evaluateScript(cell.code, url);
    if (ended.status !== 'uncompiled' && ended.status !== 'tooDeep') {
      for (const name of [...cell.names.constants, ...cell.names.variables]) {
        if (ASKING.includes(name)) taken.add(name);
      }
      aliases = cell.asking;
    }
    if (ended.status === 'ok') {
      const { value } = bridge;
      bridge.value = undefined;
      return { status: 'ok', value, isSilenced: cell.isSilenced };
    }
    if (ended.status !== 'uncompiled' && ended.status !== 'tooDeep') {
      await uncover(cell.names, { earlier, declared });
      return ended;
    }
    // Nothing of it has run or is declared.
    takeBack();
    forget();
    if (ended.status === 'tooDeep') return { status: 'uncompiled', fault: TOO_DEEP };
    // The full transform reports errors better and accepts code that V8 refuses here.
    if (cell.isQuick) return evaluate(source, url, name, true);
    const { line, column } = registry.place(url, ended.position) ?? { line: 1, column: 1 };
    return { status: 'uncompiled', fault: { message: withWrittenNames(ended.message), position: { line, column } } };
  };
}

/**
 * Gives names that a failed cell was to declare, and that hide global ones, the meaning of these again: after an import
 * of `display` that failed, later cells still have `display`.
 */
async function uncover(
  { constants, variables, renamed }: TopLevelNames,
  { earlier, declared }: { earlier: Earlier; declared: DeclaredNames },
): Promise<void> {
  for (const name of [...constants, ...variables]) {
    const script = inScript(name, renamed);
    if (!Object.hasOwn(globalThis, name) || hasValue(script)) continue;
    await evaluateScript(`let ${script} = globalThis[${JSON.stringify(name)}];`, 'oddslab:uncovered');
    for (const names of [earlier.constants, earlier.renamed]) names.delete(name);
    declared.delete(name);
  }
}

/** Whether a name of the cells has been given a value, which may be undefined. */
function hasValue(script: string): boolean {
  try {
    runInThisContext(script, { displayErrors: false });
    return true;
  } catch {
    return false;
  }
}

/** A name that a cell declared. */
interface DeclaredName {
  /** The name by which it runs. */
  script: string;
  /** The module that it was last imported from. */
  from?: string | undefined;
}

/** The names that the cells have declared, in the order in which they first did. */
export type DeclaredNames = Map<string, DeclaredName>;

/** Adds the names of a cell; the returned function takes back what that changed. */
function note(
  declared: DeclaredNames,
  { constants, variables, imports, renamed }: TopLevelNames,
  source: string,
): () => void {
  const before: [string, DeclaredName | undefined][] = [];
  for (const name of [...constants, ...variables]) {
    // Such a name that stands nowhere in the cell is of the code that `using` or JSX is turned into.
    if (name.startsWith('_') && !source.includes(name)) continue;
    before.push([name, declared.get(name)]);
    declared.set(name, { script: inScript(name, renamed), from: imports.get(name) });
  }
  return () => {
    for (const [name, earlier] of before.reverse()) {
      if (earlier) declared.set(name, earlier);
      else declared.delete(name);
    }
  };
}

/** Notes what a cell declares; the returned function takes it back. It costs nothing for what earlier cells declared. */
function declare(earlier: Earlier, { constants, variables, vars, renamed }: TopLevelNames): () => void {
  const undo: (() => void)[] = [];
  const add = (to: Set<string>, name: string) => {
    if (to.has(name)) return;
    to.add(name);
    undo.push(() => to.delete(name));
  };
  const remove = (from: Set<string>, name: string) => {
    if (from.delete(name)) undo.push(() => from.add(name));
  };
  for (const name of [...constants, ...variables]) remove(earlier.missing, name);
  for (const name of variables) remove(earlier.constants, name);
  for (const name of [...constants, ...variables]) if (!vars.has(name)) remove(earlier.vars, name);
  for (const name of constants) add(earlier.constants, name);
  for (const name of vars) add(earlier.vars, name);
  for (const name of renamed) add(earlier.renamed, name);
  return () => {
    for (const step of undo.reverse()) step();
  };
}

/** Maps positions on demand, since most cells never fail. */
function positionIn(
  source: string,
  earlier: EarlierNames | undefined,
  options: { isThorough: boolean; project: () => ProjectOptions },
): UserScript['position'] {
  return (at) => {
    const cell = transformCell(source, earlier, options);
    return 'fault' in cell ? at : cell.position(at);
  };
}
