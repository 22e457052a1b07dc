import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../../base/errors.js';
import type { CellOutlets } from '../display/cell-globals.js';
import { elementRenderer, type RenderElement } from '../display/jsx-element.js';
import { mimeBundle } from '../display/mime-bundle.js';
import { isTimed } from '../transform/cell-source.js';
import { LineIndex } from '../transform/source-lines.js';
import {
  type CellFault,
  type CellOutcome,
  type CommEvent,
  type ExpressionOutcome,
  INTERRUPTED,
  plainFault,
  type RunnerCommand,
  type RunnerEvent,
} from '../wire/runner.js';
import type { Answered, Question } from '../wire/variables.js';
import { cellEnvironment } from './cell-environment.js';
import { hinted } from './cell-hints.js';
import { durationText } from './cell-magics.js';
import type { DeclaredNames } from './cell-scripts.js';
import { askParent, beforeBlocking, captureStreams } from './cell-streams.js';
import { cellTests } from './cell-tests.js';
import { watchTimers } from './cell-timers.js';
import { CellVariables, frameNames } from './cell-variables.js';
import { CellContext, type Cells, ExitCause, watchStrayErrors, watchUnfinished } from './cell-work.js';
import { captureChildren, interruptible, type Waits, waitForChild } from './child-output.js';
import { defineMetadataSymbol } from './decorated-class.js';
import { faultReporter } from './fault-reporter.js';
import { nameOf } from './find-local.js';
import { seeNewPackages, watchRequired } from './fresh-modules.js';
import { importPackage, isInstalled } from './import-package.js';
import { Interrupts } from './interrupts.js';
import {
  clearTimeoutOfNode,
  followCaptures,
  printPromisesPlainly,
  setImmediateOfNode,
  setTimeoutOfNode,
} from './node-internals.js';
import { OutputQueue } from './output-queue.js';
import { packageNameOf } from './package-manifest.js';
import { callBounded } from './repl-scripts.js';
import { awaitedBy, installStack, keepDepth, noteAwaited, SourceRegistry } from './stack.js';
import { startTypeScriptPrograms } from './typescript-programs.js';

/** A cell to evaluate; its id is greater than that of every earlier cell. */
export type CellToRun = Extract<RunnerCommand, { type: 'execute' }>;

/** What an evaluation needs. */
interface EvaluationOptions {
  /** Full path of the notebook, from which imports resolve; the file need not exist. */
  notebook: string;
  /** Gets all output, in order. */
  send: (events: RunnerEvent[]) => void;
  /** Called when output begins to be held back. Soon calling `output.flushBetween` shows it even during a long turn. */
  onHeld: () => void;
  /** Tells the thread that interrupts when a cell waits for a child process, and learns that this was ended. */
  waits: Waits;
  /** Where the output of a child for which a cell waits is read; undefined if nowhere. */
  lanes: string | undefined;
  /** URL of the runner's only file, which traces leave out. */
  program: URL;
}

/** Evaluates the cells of one notebook in this process. Knows nothing of pipes or front ends. */
export class Evaluation {
  readonly output: OutputQueue;
  /** The lines that cells have asked their reader for. */
  readonly requests: ReturnType<typeof askParent>;
  readonly #context = new CellContext();
  readonly #declared: DeclaredNames = new Map();
  /** Made at the first question. */
  #variables: CellVariables | undefined;
  readonly #reporter: ReturnType<typeof faultReporter>;
  readonly #strays: ReturnType<typeof watchStrayErrors>;
  readonly #interrupts: Interrupts;
  readonly #timers: ReturnType<typeof watchTimers>;
  readonly #tests: ReturnType<typeof cellTests>;
  readonly #unfinished: ReturnType<typeof watchUnfinished>;
  readonly #evaluate: ReturnType<typeof cellEnvironment>;
  readonly #render: RenderElement;
  readonly #exit = new ExitCause();
  /** The value that was shown last. */
  #last: unknown;
  /** The cell of which an interrupt has ended a command, whether or not it catches the error. */
  #cutShort: number | undefined;
  #onComm: (comm: CommEvent) => void = () => {};
  #onInterrupt: () => void = () => {};

  /** Takes over the process for the notebook: its streams, timers, unhandled errors and the globals of cells. */
  constructor({ notebook, send, onHeld, waits, lanes, program }: EvaluationOptions) {
    // V8 knows a CommonJS file by its path, the inspector by its address.
    const ownUrls = new Set([program.href, fileURLToPath(program)]);
    const context = this.#context;
    const registry = new SourceRegistry();
    this.output = new OutputQueue(send, onHeld);
    this.#reporter = faultReporter(registry, installStack(registry, ownUrls));
    this.#strays = watchStrayErrors(
      context,
      (thrown) => this.#reporter.thrown(thrown),
      (cell, fault) => this.output.put({ type: 'fault', cell, fault }),
    );
    this.#timers = watchTimers(context);
    this.#unfinished = watchUnfinished(() => this.#timers.waiting());
    this.#interrupts = new Interrupts(
      context,
      (url) => ownUrls.has(url),
      (cell, isLate) => this.#interrupted(cell, isLate),
    );
    this.requests = askParent(this.output, context);
    const folder = dirname(notebook);
    this.#render = elementRenderer(async (specifier) => {
      const isThere = isInstalled(packageNameOf(specifier), join(folder, '_'));
      return isThere ? importPackage(specifier, folder) : undefined;
    });
    this.#tests = cellTests(context, {
      print: (cell, text, name = 'stdout') => this.output.push(cell, { type: 'stream', name, text }),
      onFailed: (cell) => this.#exit.failed(cell),
    });
    const cells: Cells = {
      current: () => context.current(),
      hasStruck: (cell) => this.#interrupts.hasStruck(cell),
    };
    this.#evaluate = cellEnvironment(notebook, registry, {
      cells,
      outlets: this.#outlets(),
      tests: () => this.#tests.module(),
      declared: this.#declared,
      last: () => this.#last,
    });
    captureStreams(
      (name, text) => this.output.push(context.current(), { type: 'stream', name, text }),
      () => this.output.push(context.current(), { type: 'clear', wait: false }),
    );
    const take = (cell: number, name: 'stdout' | 'stderr', text: string): void =>
      this.output.push(cell, { type: 'stream', name, text });
    const tracked = captureChildren(context, take);
    beforeBlocking(
      () => this.output.flush(),
      (parameters, call) => {
        const cell = context.running;
        const onEnded = (): void => {
          this.#cutShort = cell;
        };
        this.output.flush({ type: 'waits', isWaiting: true });
        try {
          return interruptible(waits, { tracked, cell, onEnded }, () =>
            waitForChild(context.current(), parameters, { call, lanes }),
          );
        } finally {
          this.output.flush({ type: 'waits', isWaiting: false });
        }
      },
    );
    startTypeScriptPrograms(fileURLToPath(program), (path) => registry.know(nameOf(path, folder), path));
    printPromisesPlainly();
    followCaptures();
    defineMetadataSymbol();
    seeNewPackages();
    watchRequired();
  }

  /** Runs a cell, one at a time, to its end; sends what it displays, then its outcome. Never rejects. */
  async execute(cell: CellToRun): Promise<void> {
    const { id } = cell;
    this.#context.running = id;
    this.#context.last = id;
    this.#exit.begin(id, cell.name);
    this.#strays.take();
    this.#variables?.changed();
    keepDepth();
    const struck = new Promise<CellOutcome>((resolve) => {
      this.#onInterrupt = () => resolve(failed(this.#interruption(id)));
    });
    const ended = this.#interrupts.wasEarly(id)
      ? failed(this.#interruption(id))
      : await Promise.race([this.#context.run(id, () => this.#run(cell)).catch(unread), struck]);
    // Work that the cell began may have been interrupted after its last statement.
    const outcome = ended.status === 'ok' && this.#interrupts.hasStruck(id) ? failed(this.#interruption(id)) : ended;
    this.#context.running = undefined;
    this.#exit.look();
    this.#variables?.changed();
    this.#timers.sweep();
    this.output.abandon(id);
    const isPending = this.#unfinished.isPending();
    this.output.flush({ type: 'done', id, outcome, ...(isPending ? { isPending } : {}) });
  }

  /** Hands a comm message to the cells' code under this id; sends what its handlers do, then that they are done. */
  comm(id: number, comm: CommEvent): void {
    // Scheduled first, so that it runs even if an interrupt ends the handlers. Unhandled rejections come before it.
    setImmediateOfNode(async () => {
      // Nobody could end the wait for a display that never comes.
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resume) => {
        timer = setTimeoutOfNode(resume, DRAWN_MS).unref();
      });
      await Promise.race([this.output.settled(id), late]);
      clearTimeoutOfNode(timer);
      this.#timers.sweep();
      this.output.flush({ type: 'done', id, outcome: { status: 'ok' } });
    });
    let isEnded = true;
    const handle = (): void => {
      this.#onComm(comm);
      isEnded = false;
    };
    this.#context.run(id, () => callBounded(handle));
    // A display that an interrupt has ended never fills its place.
    if (isEnded) this.output.abandon(id);
  }

  /** Answers a question about the cells' variables. Never throws. */
  ask(question: Question): Answered {
    this.#variables ??= new CellVariables(this.#declared);
    return this.#variables.answer(question, this.#context.running !== undefined);
  }

  /** Waits for what the cells left under way and sends what is still not over; see {@link watchUnfinished}. */
  async finish(drained: () => boolean, timeoutMs?: number): Promise<void> {
    const onUnawaited = () => this.output.flush({ type: 'finishing' });
    const unfinished = await this.#unfinished.finish(drained, onUnawaited, timeoutMs);
    const exit = this.#exit.get();
    this.output.flush({ type: 'finished', unfinished, ...(exit ? { exit } : {}) });
  }

  async #run({ id, code, name, expressions }: CellToRun): Promise<CellOutcome> {
    // In a new turn, so that an interrupt during what follows cannot end `execute` as well.
    await null;
    const strayed = this.#strays.next();
    const beganAt = performance.now();
    const script = this.#evaluate(code, `oddslab:cell-${id}`, name);
    const ended = await Promise.race([script, strayed.then((fault) => ({ status: 'strayed', fault }) as const)]);
    if (ended.status === 'strayed') return failed(ended.fault);
    if (ended.status === 'terminated') return failed(this.#interruption(id));
    if (this.#interrupts.hasStruck(id)) return new Promise(() => {});
    if (ended.status === 'uncompiled') return failed(this.#hinted(this.#reporter.syntax(ended.fault, name), code));
    if (ended.status === 'thrown') return failed(this.#hinted(this.#thrown(ended.value, { id, code, name }), code));
    if (this.#cutShort === id) return failed(this.#interruption(id));
    if (isTimed(code)) console.log(`It took ${durationText(performance.now() - beganAt)}.`);
    this.#unfinished.add(id, name, ended.value);
    const untested = await Promise.race([this.#tests.settled(id), strayed]);
    if (untested) return failed(untested);
    const shown = ended.isSilenced ? undefined : ended.value;
    if (shown !== undefined) this.#last = shown;
    const fault = await Promise.race([this.#showResult(id, shown), strayed]);
    if (fault) return failed(fault);
    if (!expressions) return { status: 'ok' };
    // The expressions may take long.
    this.output.flush();
    const outcomes: [string, ExpressionOutcome][] = [];
    for (const [key, text] of Object.entries(expressions)) outcomes.push([key, await this.#expression(id, text)]);
    return { status: 'ok', expressions: Object.fromEntries(outcomes) };
  }

  #hinted(fault: CellFault, code: string): CellFault {
    return hinted(fault, code, (name) => frameNames(this.#declared).includes(name));
  }

  /** The fault of a thrown value. If its own place is unknown, the place is where the cell awaited what failed. */
  #thrown(value: unknown, { id, code, name }: Omit<CellToRun, 'type'>): CellFault {
    const at = awaitedBy(id);
    noteAwaited(id, undefined);
    return this.#reporter.thrown(value, at === undefined ? undefined : { name, ...new LineIndex(code).position(at) });
  }

  /** Shows the value of the last expression and waits for everything that is being shown. */
  async #showResult(id: number, value: unknown): Promise<CellFault | undefined> {
    const { fill, draw } = this.output.reserve(this.#context.current());
    try {
      const bundle = await draw(() => mimeBundle(value, this.#render));
      fill(bundle && { type: 'result', ...bundle });
      await this.output.settled(id);
    } catch (thrown) {
      fill(undefined);
      return this.#reporter.thrown(thrown);
    }
    // Unhandled rejections are announced after the cell's last turn.
    await new Promise((resume) => setImmediateOfNode(resume));
    return this.#strays.take();
  }

  async #expression(cell: number, text: string): Promise<ExpressionOutcome> {
    try {
      const ended = await this.#evaluate(text, 'oddslab:expression', 'expression');
      if (ended.status === 'uncompiled') throw new SyntaxError(ended.fault.message);
      if (ended.status === 'terminated') throw new Error(this.#interruption(cell).message);
      if (ended.status === 'thrown') throw ended.value;
      const bundle = await mimeBundle(await ended.value, this.#render);
      return { status: 'ok', ...(bundle ?? { data: { 'text/plain': 'undefined' }, metadata: {} }) };
    } catch (thrown) {
      return { status: 'error', fault: this.#reporter.thrown(thrown) };
    }
  }

  #outlets(): CellOutlets {
    const context = this.#context;
    return {
      emit: (event) => this.output.push(context.current(), event),
      reserve: () => this.output.reserve(context.current()),
      render: this.#render,
      ask: (request) => this.requests.ask(request),
      sendComm: (comm) => this.output.put({ type: 'comm', cell: context.current(), comm }),
      onComm: (handler) => {
        this.#onComm = handler;
      },
    };
  }

  #interruption(cell: number): CellFault {
    const advice = ' It was loading a package: restart the kernel before you import that again.';
    const message = 'The cell was interrupted. What it had defined until then stays.';
    return plainFault(INTERRUPTED, this.#interrupts.hasHalfLoaded(cell) ? message + advice : message);
  }

  #interrupted(cell: number, isLate: boolean): void {
    this.#timers.cancel(cell);
    this.#tests.cancel(cell);
    if (cell === this.#context.running) this.#onInterrupt();
    else {
      // A display that was ended never fills its place, and the fault would stay behind that.
      this.output.abandon(cell);
      if (isLate) this.output.put({ type: 'fault', cell, fault: this.#interruption(cell) });
    }
  }
}

/** How long a comm message stays open for what its handlers display; what comes later is still shown. */
const DRAWN_MS = 2000;

/** The outcome for a failure of the runner itself; the next cell can still run. */
function unread(error: unknown): CellOutcome {
  return failed(plainFault('Error', `The cell could not be run: ${messageOf(error)}`));
}

function failed(fault: CellFault): CellOutcome {
  return { status: 'error', fault };
}
