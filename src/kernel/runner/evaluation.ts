import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type CellFault, type CellOutcome, type CommEvent, INTERRUPTED, type RunnerEvent } from '../events.js';
import { transformCell } from '../transform.js';
import { captureStreams } from './capture-streams.js';
import { CellContext } from './cell-context.js';
import type { CellOutlets } from './cell-outlets.js';
import { CellTimers } from './cell-timers.js';
import { defineCellGlobals } from './display/cell-globals.js';
import { evaluateExpressions } from './evaluate-expressions.js';
import { EVALUATE_URL, type Evaluated, evaluateScript } from './evaluate-script.js';
import { FaultReporter } from './fault-reporter.js';
import { InputRequests } from './input-requests.js';
import { Interrupts } from './interrupts.js';
import { createLoader, type Loader } from './loader.js';
import { loweredSyntax } from './lowered-syntax.js';
import { mimeBundle } from './mime-bundle.js';
import { OutputQueue } from './output-queue.js';
import { printPromisesPlainly } from './plain-promises.js';
import { SourceRegistry } from './source-registry.js';
import { installStack } from './stack.js';
import { StrayErrors } from './stray-errors.js';

/** A cell to evaluate. */
export interface CellToRun {
  /** Greater than that of any cell before. */
  id: number;
  code: string;
  /** How traces call it: `cell 3`. */
  name: string;
  expressions?: Record<string, string>;
}

/** Evaluates the cells of one notebook in this process, and knows nothing of who asks. */
export interface Evaluation {
  /** Runs a cell to its end, including what it displays. Never rejects. One at a time. */
  execute(cell: CellToRun): Promise<CellOutcome>;
  /** Gives a line that a cell asked for; without a text, nobody can be asked. */
  answer(id: number, text?: string): void;
  /** Hands a comm message to the cells' code. */
  comm(comm: CommEvent): void;
  /** Sends all output that is still kept back and ready. */
  flush(): void;
}

/**
 * Takes over the process for a notebook: its streams, its timers, its unhandled errors and the globals of cells.
 *
 * @param options.notebook Full path of the notebook, from which imports resolve; it need not exist.
 * @param options.send Gets all output, in order.
 * @param options.runnerUrls Modules of the runner that traces leave out.
 */
export function createEvaluation(options: {
  notebook: string;
  send: (events: RunnerEvent[]) => void;
  runnerUrls: string[];
}): Evaluation {
  return new NotebookEvaluation(options);
}

class NotebookEvaluation implements Evaluation {
  readonly #context = new CellContext();
  readonly #registry = new SourceRegistry();
  readonly #output: OutputQueue;
  readonly #reporter: FaultReporter;
  readonly #strays: StrayErrors;
  readonly #interrupts: Interrupts;
  readonly #timers: CellTimers;
  readonly #requests: InputRequests;
  readonly #bridge: Loader & { value: unknown };
  /** A cell that ends in `display(x)` shows x, not the promise that it is shown. */
  readonly #displayed = new WeakSet<object>();
  #onComm: (comm: CommEvent) => void = () => {};
  #onInterrupt: () => void = () => {};

  constructor(options: { notebook: string; send: (events: RunnerEvent[]) => void; runnerUrls: string[] }) {
    const ownUrls = new Set([import.meta.url, EVALUATE_URL, ...options.runnerUrls]);
    const context = this.#context;
    this.#output = new OutputQueue(options.send);
    this.#reporter = new FaultReporter(this.#registry, installStack(this.#registry, ownUrls));
    this.#strays = new StrayErrors(
      context,
      (thrown) => this.#reporter.thrown(thrown),
      (cell, fault) => this.#output.put({ type: 'fault', cell, fault }),
    );
    this.#timers = new CellTimers(context, (thrown) => this.#strays.add(thrown));
    this.#interrupts = new Interrupts(
      context,
      (url) => ownUrls.has(url),
      (cell, isLate) => this.#interrupted(cell, isLate),
    );
    this.#requests = new InputRequests(this.#output, context);
    const outlets = this.#outlets();
    const tslab = once(async () => (await import('./tslab-module.js')).createTslabModule(outlets));
    this.#bridge = { ...createLoader(options.notebook, this.#registry, { tslab }), value: undefined };
    captureStreams((name, text) => this.#output.push(context.current(), { type: 'stream', name, text }));
    printPromisesPlainly();
    defineGlobals({
      ...defineCellGlobals(outlets),
      __oddslab__: this.#bridge,
      babelHelpers: loweredSyntax,
      require: createRequire(join(dirname(options.notebook), '_')),
    });
  }

  async execute(cell: CellToRun): Promise<CellOutcome> {
    const { id } = cell;
    this.#context.running = id;
    this.#context.last = id;
    this.#strays.take();
    const struck = new Promise<CellOutcome>((resolve) => {
      this.#onInterrupt = () => resolve(failed(interruption()));
    });
    const outcome = this.#interrupts.wasEarly(id)
      ? failed(interruption())
      : await Promise.race([this.#context.run(id, () => this.#run(cell)), struck]);
    this.#context.running = undefined;
    this.#timers.sweep(id);
    this.#output.abandon(id);
    this.#output.flush();
    return outcome;
  }

  answer(id: number, text?: string): void {
    this.#requests.answer(id, text);
  }

  comm(comm: CommEvent): void {
    this.#onComm(comm);
  }

  flush(): void {
    this.#output.flush();
  }

  async #run({ id, code, name, expressions }: CellToRun): Promise<CellOutcome> {
    const url = `oddslab:cell-${id}`;
    const cell = transformCell(code);
    this.#registry.add(url, { name, source: code, position: positionIn(code) });
    if ('fault' in cell) return failed(this.#reporter.syntax(cell.fault, name));
    this.#bridge.value = undefined;
    const strayed = this.#strays.next();
    const ended = await Promise.race([evaluateScript(cell.code, url), strayed.then(asStrayed)]);
    if (ended.status === 'strayed') return failed(ended.fault);
    if (ended.status === 'terminated') return failed(interruption());
    if (this.#interrupts.hasStruck(id)) return new Promise(() => {});
    if (ended.status !== 'ok') return failed(this.#faultOf(ended, url, name));
    const fault = await Promise.race([this.#showResult(id), strayed]);
    if (fault) return failed(fault);
    const evaluate = (text: string): Promise<unknown> => this.#evaluateExpression(text);
    return expressions
      ? { status: 'ok', expressions: await evaluateExpressions(expressions, evaluate, this.#reporter) }
      : { status: 'ok' };
  }

  /** Shows the value of the last expression, and waits for all that is being shown. */
  async #showResult(id: number): Promise<CellFault | undefined> {
    const { value } = this.#bridge;
    this.#bridge.value = undefined;
    try {
      if (!this.#displayed.has(Object(value))) await this.#show(value, 'result');
      await this.#output.settled(id);
    } catch (thrown) {
      return this.#reporter.thrown(thrown);
    }
    // Rejections that nothing handles are announced after the cell's last turn.
    await new Promise((resume) => setImmediateOfNode(resume));
    return this.#strays.take();
  }

  async #evaluateExpression(text: string): Promise<unknown> {
    const url = 'oddslab:expression';
    const cell = transformCell(text);
    this.#registry.add(url, { name: 'expression', source: text, position: positionIn(text) });
    if ('fault' in cell) throw new SyntaxError(cell.fault.message);
    const ended = await evaluateScript(cell.code, url);
    if (ended.status === 'uncompiled') throw new SyntaxError(ended.message);
    if (ended.status === 'terminated') throw new Error(interruption().message);
    if (ended.status === 'thrown') throw ended.value;
    const { value } = this.#bridge;
    this.#bridge.value = undefined;
    return value;
  }

  #faultOf(ended: Extract<Evaluated, { status: 'thrown' | 'uncompiled' }>, url: string, name: string): CellFault {
    if (ended.status === 'thrown') return this.#reporter.thrown(ended.value);
    const { line, column } = this.#registry.place(url, ended.position) ?? { line: 1, column: 1 };
    return this.#reporter.syntax({ message: ended.message, position: { line, column } }, name);
  }

  async #show(value: unknown, type: 'display' | 'result'): Promise<void> {
    const fill = this.#output.reserve(this.#context.current());
    try {
      const bundle = await mimeBundle(value);
      fill(bundle ? { type, ...bundle } : undefined);
    } catch (error) {
      fill(undefined);
      throw error;
    }
  }

  #outlets(): CellOutlets {
    const context = this.#context;
    return {
      emit: (event) => this.#output.push(context.current(), event),
      reserve: () => this.#output.reserve(context.current()),
      show: (value, type) => {
        const shown = this.#show(value, type);
        this.#displayed.add(shown);
        return shown;
      },
      ask: (request) => this.#requests.ask(request),
      sendComm: (comm) => this.#output.put({ type: 'comm', cell: context.current(), comm }),
      onComm: (handler) => {
        this.#onComm = handler;
      },
    };
  }

  #interrupted(cell: number, isLate: boolean): void {
    this.#timers.cancel(cell);
    if (cell === this.#context.running) this.#onInterrupt();
    else if (isLate) this.#output.put({ type: 'fault', cell, fault: interruption() });
  }
}

const setImmediateOfNode = setImmediate;

/** Found when asked for: most cells never fail. */
function positionIn(code: string): SourceRegistryPosition {
  return (at) => {
    const cell = transformCell(code);
    return 'fault' in cell ? at : cell.position(at);
  };
}

type SourceRegistryPosition = Parameters<SourceRegistry['add']>[1]['position'];

function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function asStrayed(fault: CellFault): { status: 'strayed'; fault: CellFault } {
  return { status: 'strayed', fault };
}

function failed(fault: CellFault): CellOutcome {
  return { status: 'error', fault };
}

function interruption(): CellFault {
  const message = 'The cell was interrupted. What it had defined until then stays.';
  return { name: INTERRUPTED, message, traceback: [`${INTERRUPTED}: ${message}`] };
}

function defineGlobals(values: Record<string | symbol, unknown>): void {
  for (const name of Reflect.ownKeys(values)) {
    const value = values[name];
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: false });
  }
}
