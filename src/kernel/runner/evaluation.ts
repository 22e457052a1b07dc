import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { CellFault, CellOutcome, RunnerEvent } from '../events.js';
import type { Position } from '../line-index.js';
import { type TransformedCell, transformCell } from '../transform.js';
import { captureStreams } from './capture-streams.js';
import { type Evaluated, evaluateScript } from './evaluate-script.js';
import { FaultReporter } from './fault-reporter.js';
import { createLoader, type Loader } from './loader.js';
import { loweredSyntax } from './lowered-syntax.js';
import { mimeBundle } from './mime-bundle.js';
import { OutputQueue } from './output-queue.js';
import { SourceRegistry } from './source-registry.js';
import { installStack } from './stack.js';

const PROGRESS = Symbol.for('oddslab.progress');

/** Evaluates the cells of one notebook in this process, and knows nothing of who asks. */
export interface Evaluation {
  /**
   * Runs a cell to its end, including what it displays. Never rejects.
   *
   * @param name How traces call the cell: `cell 3`.
   */
  execute(code: string, name: string): Promise<CellOutcome>;
  /** Sends all output that is still kept back, also what waits behind a display that is not ready. */
  flush(): void;
}

/**
 * Takes over the process for a notebook: its streams, its unhandled errors and the globals `display` and `require`.
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
  const registry = new SourceRegistry();
  const ownCalls = installStack(registry, new Set([import.meta.url, ...options.runnerUrls]));
  const reporter = new FaultReporter(registry, ownCalls);
  const output = new OutputQueue(options.send);
  const strays = new StrayErrors(reporter);
  // A cell that ends in `display(x)` shows x, not the promise that it is shown.
  const displayed = new WeakSet<object>();
  const bridge: Loader & { value: unknown } = { ...createLoader(options.notebook, registry), value: undefined };
  captureStreams((name, text) => output.push({ type: 'stream', name, text }));
  defineGlobals({
    __oddslab__: bridge,
    babelHelpers: loweredSyntax,
    display: (value: unknown) => {
      const shown = show(value, 'display', output);
      displayed.add(shown);
      return shown;
    },
    require: createRequire(join(dirname(options.notebook), '_')),
    // Not a name that a cell could use up: libraries look for it, as our client does.
    [PROGRESS]: (text: string) => output.push({ type: 'progress', text: String(text) }),
  });

  const run = async (cell: TransformedCell, url: string, name: string): Promise<CellOutcome> => {
    bridge.value = undefined;
    const ended = await Promise.race([evaluateScript(cell.code, url), strays.next()]);
    if (ended.status === 'strayed') {
      strays.take();
      return failed(ended.fault);
    }
    if (ended.status !== 'ok') return failed(faultOf(ended, cell, name, reporter));
    const { value } = bridge;
    bridge.value = undefined;
    try {
      if (!displayed.has(Object(value))) await show(value, 'result', output);
      await output.settled();
    } catch (thrown) {
      return failed(reporter.thrown(thrown));
    }
    // Rejections that nothing handles are announced after the cell's last turn.
    await new Promise((resume) => setImmediate(resume));
    const stray = strays.take();
    return stray ? failed(stray) : { status: 'ok' };
  };

  let count = 0;
  return {
    async execute(code, name) {
      count += 1;
      const url = `oddslab:cell-${count}`;
      const cell = transformCell(code);
      const position = 'fault' in cell ? (at: Position) => at : cell.position;
      registry.add(url, { name, source: code, position });
      const early = strays.take();
      if (early) return failed(early);
      if ('fault' in cell) return failed(reporter.syntax(cell.fault, name));
      const outcome = await run(cell, url, name);
      output.flush(true);
      return outcome;
    },
    flush: () => output.flush(true),
  };
}

function failed(fault: CellFault): CellOutcome {
  return { status: 'error', fault };
}

function faultOf(
  ended: Exclude<Evaluated, { status: 'ok' }>,
  cell: TransformedCell,
  name: string,
  reporter: FaultReporter,
): CellFault {
  if (ended.status === 'thrown') return reporter.thrown(ended.value);
  const position = cell.position(ended.position) ?? { line: 1, column: 1 };
  return reporter.syntax({ message: ended.message, position }, name);
}

async function show(value: unknown, type: 'display' | 'result', output: OutputQueue): Promise<void> {
  const fill = output.reserve();
  try {
    const bundle = await mimeBundle(value);
    fill(bundle ? { type, ...bundle } : undefined);
  } catch (error) {
    fill(undefined);
    throw error;
  }
}

/** Errors that no cell awaits: thrown in a timer or an event, or rejections that nothing handles. */
class StrayErrors {
  readonly #faults: CellFault[] = [];
  #notify: (stray: { status: 'strayed'; fault: CellFault }) => void = () => {};

  constructor(reporter: FaultReporter) {
    const take = (thrown: unknown): void => {
      const fault = reporter.thrown(thrown);
      this.#faults.push(fault);
      this.#notify({ status: 'strayed', fault });
    };
    process.on('uncaughtException', take);
    process.on('unhandledRejection', take);
  }

  /** The first that came since the last call; forgets the others. */
  take(): CellFault | undefined {
    return this.#faults.splice(0)[0];
  }

  /** The next that comes. */
  next(): Promise<{ status: 'strayed'; fault: CellFault }> {
    return new Promise((resolve) => {
      this.#notify = resolve;
    });
  }
}

function defineGlobals(values: Record<string | symbol, unknown>): void {
  for (const name of Reflect.ownKeys(values)) {
    const value = values[name];
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: false });
  }
}
