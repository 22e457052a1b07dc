import { nestingOf } from '../transform/nesting-of.js';
import { withWrittenNames } from '../transform/reserved-names.js';
import type { SyntaxFault } from '../transform/strip-types.js';
import type { EarlierNames, TopLevelNames } from '../transform/top-level-names.js';
import { transformCell } from '../transform/transform.js';
import { evaluateScript } from './evaluate-script.js';
import type { SourceRegistry, UserScript } from './source-registry.js';

/** How a cell's code ended: with the value of its last expression, or why there is none. */
export type ScriptEnd =
  | { status: 'ok'; value: unknown }
  | { status: 'terminated' }
  | { status: 'thrown'; value: unknown }
  | { status: 'uncompiled'; fault: SyntaxFault };

/** The greatest nesting depth. The native parser crashes the process at somewhat more; V8 refuses less. */
const DEEPEST = 8000;
const TOO_DEEP: SyntaxFault = {
  message: 'The parts of this code lie too deep within each other to be read. Break it up into several statements.',
  position: { line: 1, column: 1 },
};

/** Evaluates the code of cells, one after another. */
export class CellScripts {
  readonly #registry: SourceRegistry;
  readonly #bridge: { value: unknown };
  readonly #missing: Set<string>;
  readonly #constants = new Set<string>();
  readonly #vars = new Set<string>();
  readonly #renamed = new Set<string>();

  /**
   * @param bridge Where the scripts put their value.
   * @param missing Imported names that their modules lack; a name that a cell declares again is removed.
   */
  constructor(registry: SourceRegistry, bridge: { value: unknown }, missing: Set<string>) {
    this.#registry = registry;
    this.#bridge = bridge;
    this.#missing = missing;
  }

  /**
   * Evaluates TypeScript source.
   *
   * @param url The script's name in stacks.
   * @param name The script's name in traces: `cell 3`.
   */
  evaluate(source: string, url: string, name: string): Promise<ScriptEnd> {
    return this.#evaluate(source, url, { name, isThorough: false });
  }

  async #evaluate(source: string, url: string, way: { name: string; isThorough: boolean }): Promise<ScriptEnd> {
    const { name, isThorough } = way;
    const earlier = {
      constants: this.#constants,
      vars: this.#vars,
      renamed: this.#renamed,
      missing: this.#missing,
    };
    const cell = nestingOf(source) > DEEPEST ? { fault: TOO_DEEP } : transformCell(source, earlier, { isThorough });
    const used = 'fault' in cell ? undefined : cell.names.used;
    this.#registry.add(url, { name, source, position: positionIn(source, used, isThorough) });
    if ('fault' in cell) return { status: 'uncompiled', fault: cell.fault };
    this.#bridge.value = undefined;
    const withdraw = this.#declare(cell.names);
    const ended = await evaluateScript(cell.code, url);
    if (ended.status === 'ok') return { status: 'ok', value: this.#takeValue() };
    if (ended.status !== 'uncompiled' && ended.status !== 'tooDeep') return ended;
    withdraw();
    if (ended.status === 'tooDeep') return { status: 'uncompiled', fault: TOO_DEEP };
    // Nothing of it has run. The full transform reports errors better and accepts code that V8 refuses here.
    if (cell.isQuick) return this.#evaluate(source, url, { name, isThorough: true });
    const { line, column } = this.#registry.place(url, ended.position) ?? { line: 1, column: 1 };
    return { status: 'uncompiled', fault: { message: withWrittenNames(ended.message), position: { line, column } } };
  }

  /** Records what a cell declares; the returned function undoes that if none of it was declared after all. */
  #declare({ constants, variables, vars, renamed }: TopLevelNames): () => void {
    const freed = [...variables].filter((each) => this.#constants.delete(each));
    const added = [...constants].filter((each) => !this.#constants.has(each));
    const newlyRenamed = [...renamed].filter((each) => !this.#renamed.has(each));
    const others = [...constants, ...variables].filter((each) => !vars.has(each) && this.#vars.delete(each));
    const newVars = [...vars].filter((each) => !this.#vars.has(each));
    for (const each of newVars) this.#vars.add(each);
    for (const each of added) this.#constants.add(each);
    for (const each of newlyRenamed) this.#renamed.add(each);
    const found = [...constants, ...variables].filter((each) => this.#missing.delete(each));
    return () => {
      for (const each of found) this.#missing.add(each);
      for (const each of others) this.#vars.add(each);
      for (const each of newVars) this.#vars.delete(each);
      for (const each of added) this.#constants.delete(each);
      for (const each of freed) this.#constants.add(each);
      for (const each of newlyRenamed) this.#renamed.delete(each);
    };
  }

  #takeValue(): unknown {
    const { value } = this.#bridge;
    this.#bridge.value = undefined;
    return value;
  }
}

/** Maps positions on demand, since most cells never fail. */
function positionIn(source: string, earlier: EarlierNames | undefined, isThorough: boolean): UserScript['position'] {
  return (at) => {
    const cell = transformCell(source, earlier, { isThorough });
    return 'fault' in cell ? at : cell.position(at);
  };
}
