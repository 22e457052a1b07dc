import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { packageRoot } from '../base/packages.js';
import { ChildLanes } from './child-lanes.js';
import { exitCodeFault, type ProcessEnd, processFault } from './process-fault.js';
import { JoinedOutput, NativeOutput } from './runner-output.js';
import { RunnerQuestions } from './runner-questions.js';
import { encodeFrame, FrameDecoder } from './wire/event-frames.js';
import { endProcessGroup, PIPES } from './wire/lifeline.js';
import { PROGRAM_FLAGS } from './wire/own-program.js';
import {
  type CellFault,
  type CellListener,
  type CellOutcome,
  type CommEvent,
  INTERRUPT_GRACE_MS,
  type InputRequest,
  type OutputEvent,
  type Runner,
  type RunnerCommand,
  type RunnerEvent,
  type Unfinished,
} from './wire/runner.js';
import { testReporterFlags } from './wire/test-reporter.js';
import type { Answered, Question } from './wire/variables.js';

const CLOSE_GRACE_MS = 700;
const DRAIN_MS = 300;
/** How long unawaited work may block the event loop before it counts as endless, if `finish` gets no time limit. */
const LOOP_MS = 10_000;
/** The runner itself waits up to a second for unawaited work and up to another second for native output. */
const LEAST_LOOP_MS = 3000;
/** How many comm messages keep their listener; later output of older ones goes to the last cell's listener. */
const KEPT_COMMS = 1000;

/**
 * Starts a runner.
 *
 * @param options.cwd The notebook's folder: the process's working folder, from which imports resolve.
 * @param options.env The process's whole environment. Default: this process's.
 * @param options.file Full path of the notebook, for `import.meta`. Default: `notebook.ts` in `cwd`.
 * @example
 * const runner = startRunner({ cwd: process.cwd() });
 * await runner.execute('const x: number = 1; x', { onOutput: console.log });
 * await runner.close();
 */
export function startRunner(options: { cwd: string; env?: NodeJS.ProcessEnv; file?: string }): Runner {
  const main = join(packageRoot(), 'dist', 'kernel', 'runner', 'main.cjs');
  const flags = [
    ...PROGRAM_FLAGS,
    // If NODE_OPTIONS opens a debugger, this keeps its address, which differs in each run, out of the cells' output,
    // and lets it open although this process has taken its port.
    '--inspect-publish-uid=http',
    '--inspect-port=0',
    ...testReporterFlags(options.env ?? process.env),
  ];
  const file = options.file ?? join(options.cwd, 'notebook.ts');
  const lanes = new ChildLanes();
  const child = spawn(process.execPath, [...flags, main, file, lanes.address ?? ''], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    // A process group of its own, so that everything the cells started ends with it.
    detached: process.platform !== 'win32',
  });
  return new RunnerProcess(child, lanes, options.cwd);
}

/** How a cell ended, and its value until that is shown. */
interface Ended {
  outcome: CellOutcome;
  value?: OutputEvent | undefined;
}

class RunnerProcess implements Runner {
  isAlive = true;
  isWaiting = false;
  readonly ended: Promise<CellFault>;
  readonly #child: ChildProcess;
  readonly #native: NativeOutput;
  readonly #lanes: ChildLanes;
  readonly #output = new JoinedOutput((cell, event) => this.#listener(cell)?.onOutput?.(event));
  readonly #end: ProcessEnd = {};
  readonly #listeners = new Map<number, CellListener>();
  readonly #waiting = new Map<number, (outcome: CellOutcome) => void>();
  /** Cells that have ended but whose native output has not been read yet. */
  readonly #ended = new Map<number, Ended>();
  #onFinishing: () => void = () => {};
  #onFinished: (unfinished: Unfinished) => void = () => {};
  /** Whether the last value of an ended cell is a promise that was not settled then. */
  #isPending = false;
  #lastId = 0;
  #lastComm = 0;
  readonly #questions = new RunnerQuestions((command) => this.#send(command));

  constructor(child: ChildProcess, lanes: ChildLanes, cwd: string) {
    this.#child = child;
    this.#lanes = lanes;
    this.#native = new NativeOutput(child.stdout, child.stderr, (event) => this.#output.take(this.#running(), event));
    lanes.onText = (cell, name, text) => this.#output.take(cell, { type: 'stream', name, text });
    lanes.onHeard = (characters) => this.#native.heard(characters);
    const decoder = new FrameDecoder<RunnerEvent[]>();
    const events = this.#pipes[PIPES.events] as Readable | undefined;
    events?.on('data', (chunk: Buffer) => {
      for (const batch of decoder.push(chunk)) this.#takeAll(batch);
    });
    for (const stream of this.#pipes) stream?.on('error', () => {});
    const allRead = Promise.all([events, child.stdout, child.stderr].map(whenEnded));
    this.ended = whenExited(child, cwd).then(async (end) => {
      Object.assign(this.#end, end);
      this.hold(false);
      // A child process of the user's may hold the streams open as long as it lives.
      await Promise.race([Promise.all([allRead, this.#native.quiet()]), pause(DRAIN_MS, undefined, { ref: false })]);
      return this.#settleAll();
    });
  }

  execute(
    code: string,
    options: { name?: string; expressions?: Record<string, string> } & CellListener = {},
  ): Promise<CellOutcome> {
    if (!this.isAlive) return Promise.resolve({ status: 'error', fault: processFault(this.#end) });
    const { name = 'cell', expressions, ...listener } = options;
    const id = ++this.#lastId;
    this.#listeners.set(id, listener);
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ type: 'execute', id, code, name, ...(expressions ? { expressions } : {}) });
    });
  }

  interrupt({ isForEarlier } = { isForEarlier: false }): void {
    // What blocks may be work that an ended cell left behind.
    const running = this.#running();
    const cell = isForEarlier && this.#waiting.has(running) ? running - 1 : running;
    if (!this.isAlive || cell === 0) return;
    this.hold(false);
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(cell);
    this.#pipe(PIPES.lifeline)?.write(bytes);
  }

  hold(isHeld: boolean): void {
    if (!this.isAlive) return;
    for (const stream of [this.#pipes[PIPES.events] as Readable | undefined, this.#child.stdout, this.#child.stderr]) {
      if (isHeld) stream?.pause();
      else stream?.resume();
    }
    this.#lanes.hold(isHeld);
  }

  async sendComm(comm: CommEvent, listener: CellListener = {}): Promise<void> {
    if (!this.isAlive) return;
    this.#lastComm += 1;
    const id = -this.#lastComm;
    this.#listeners.set(id, listener);
    this.#listeners.delete(id + KEPT_COMMS);
    await new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ type: 'comm', id, comm });
    });
  }

  ask<Asked extends Question>(question: Asked): Promise<Answered<Asked['about']>> {
    if (!this.isAlive) return Promise.resolve({ status: 'lost' });
    return this.#questions.ask(question);
  }

  async finish(timeoutMs?: number): Promise<Unfinished> {
    const loopMs = Math.max(timeoutMs ?? LOOP_MS, LEAST_LOOP_MS);
    let timer: NodeJS.Timeout | undefined;
    let [isFinished, hasLoop] = [false, false];
    const cut = async (): Promise<void> => {
      // First read what arrived while this process itself was blocked.
      for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
      if (isFinished) return;
      hasLoop = true;
      this.#output.flush();
      // Output is dropped from here on, since where the interrupt hits differs from run to run.
      this.#listeners.clear();
      this.interrupt();
      clearTimeout(timer);
      timer = setTimeout(() => void this.close(), INTERRUPT_GRACE_MS);
    };
    const cutAfter = (delayMs: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void cut(), delayMs);
    };
    const unfinished = await new Promise<Unfinished>((resolve) => {
      this.#onFinished = (unfinished) => {
        isFinished = true;
        resolve(unfinished);
      };
      this.#onFinishing = () => cutAfter(loopMs);
      // A loop that began earlier keeps the process from reading the finish command.
      if (!this.#isPending) cutAfter(loopMs);
      else if (timeoutMs !== undefined) cutAfter(timeoutMs + loopMs);
      if (this.isAlive) this.#send({ type: 'finish', ...(timeoutMs === undefined ? {} : { timeoutMs }) });
      else void this.ended.then(() => this.#finished(this.#endedWork()));
    });
    clearTimeout(timer);
    return { ...unfinished, hasLoop };
  }

  async close(): Promise<void> {
    this.#end.isClosed = true;
    this.#pipe(PIPES.commands)?.end();
    this.#pipe(PIPES.lifeline)?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_GRACE_MS);
    await this.ended;
    clearTimeout(timer);
  }

  /** Empty if the process could not start because pipes were lacking. */
  get #pipes(): readonly (Readable | Writable | null | undefined)[] {
    const { stdio }: { stdio?: ChildProcess['stdio'] } = this.#child;
    return stdio ?? [];
  }

  #pipe(fd: number): Writable | undefined {
    return this.#pipes[fd] as Writable | undefined;
  }

  #send(command: RunnerCommand): void {
    if (this.isAlive) this.#pipe(PIPES.commands)?.write(encodeFrame(command));
  }

  /** The id of the cell that runs now, or else of the last one; 0 before the first. */
  #running(): number {
    for (const id of this.#waiting.keys()) if (id > 0) return id;
    return this.#lastId;
  }

  #listener(cell: number): CellListener | undefined {
    return this.#listeners.get(cell) ?? this.#listeners.get(this.#lastId);
  }

  #takeAll(events: readonly RunnerEvent[]): void {
    const [value, end] = events.slice(-2);
    const isEnded = value?.type === 'output' && value.event.type === 'result' && end?.type === 'done';
    if (isEnded && value.cell === end.id) {
      for (const event of events.slice(0, -2)) this.#take(event);
      this.#over(end, value.event);
    } else for (const event of events) this.#take(event);
  }

  #take(event: RunnerEvent): void {
    if (event.type === 'ready') this.#native.begin();
    else if (event.type === 'exit') this.#end.exitCode = event.code;
    else if (event.type === 'waits') this.isWaiting = event.isWaiting;
    else if (event.type === 'heard' || event.type === 'told') this.#questions.take(event);
    else if (event.type === 'finishing') this.#onFinishing();
    else if (event.type === 'finished') {
      const { unfinished, exit } = event;
      const endedBy = exit && exit.cells.length > 0 ? { endedBy: exit.cells } : {};
      const ended = exit ? { ended: exitCodeFault(exit), ...endedBy } : {};
      void this.#native.drained().then(() => this.#finished({ ...unfinished, hasLoop: false, ...ended }));
    } else if (event.type === 'done') this.#over(event);
    else this.#tell(event);
  }

  /** A cell is over: settles it, and shows the value in which it ended, once its native output has been read. */
  #over({ id, outcome, isPending = false }: RunnerEvent & { type: 'done' }, value?: OutputEvent): void {
    if (id > 0) this.#isPending = isPending;
    const ended: Ended = { outcome, value };
    this.#ended.set(id, ended);
    void this.#native.drained().then(() => this.#settle(id, ended));
  }

  #showValue(id: number, ended: Ended): void {
    const { value } = ended;
    ended.value = undefined;
    if (value) this.#output.take(id, value);
  }

  #tell(event: Extract<RunnerEvent, { cell: number }>): void {
    // What the process's own code shows after a value may not overtake it.
    for (const [id, ended] of this.#ended) this.#showValue(id, ended);
    if (event.type === 'output') {
      this.#output.take(event.cell, event.event);
      return;
    }
    this.#output.flush();
    const listener = this.#listener(event.cell);
    if (event.type === 'comm') listener?.onComm?.(event.comm);
    else if (event.type === 'input') this.#ask(event.id, event.request, listener);
    else if (listener?.onFault) listener.onFault(event.fault);
    else listener?.onOutput?.({ type: 'stream', name: 'stderr', text: `${event.fault.traceback.join('\n')}\n` });
  }

  #ask(id: number, request: InputRequest, listener: CellListener | undefined): void {
    const asked = listener?.onInput ? listener.onInput(request) : Promise.reject();
    asked.then(
      (text) => this.#send({ type: 'answer', id, text }),
      () => this.#send({ type: 'answer', id }),
    );
  }

  #finished(unfinished: Unfinished): void {
    this.#output.flush();
    this.#onFinished(unfinished);
  }

  #settle(id: number, ended: Ended): void {
    this.#showValue(id, ended);
    this.#output.flush();
    this.#waiting.get(id)?.(ended.outcome);
    this.#waiting.delete(id);
    this.#ended.delete(id);
  }

  #settleAll(): CellFault {
    this.isAlive = false;
    this.#questions.endAll();
    const { exitCode, failure, signal } = this.#end;
    // V8 ends the process by a crash of its own, whereas a kill from outside sends one of these two signals.
    const mayBeOutOfMemory = exitCode === undefined && !failure && signal !== 'SIGKILL' && signal !== 'SIGTERM';
    Object.assign(this.#end, this.#native.end(mayBeOutOfMemory));
    this.#output.flush();
    for (const stream of this.#pipes) stream?.destroy();
    this.#lanes.close();
    const fault = processFault(this.#end);
    for (const id of [...this.#waiting.keys()])
      this.#settle(id, this.#ended.get(id) ?? { outcome: { status: 'error', fault } });
    this.#finished(this.#endedWork());
    return fault;
  }

  /** An ended process has no work under way; `process.exit(0)` counts as a normal end. */
  #endedWork(): Unfinished {
    const ended = this.#end.exitCode === 0 ? {} : { ended: processFault(this.#end) };
    return { late: [], timers: [], hasRequests: false, hasLoop: false, ...ended };
  }
}

function whenExited(child: ChildProcess, cwd: string): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      if (child.pid !== undefined) endProcessGroup(child.pid);
      resolve({ crashCode: code, signal });
    });
    child.once('error', (failure) => resolve({ failure, ...(existsSync(cwd) ? {} : { lostFolder: cwd }) }));
  });
}

function whenEnded(stream: Readable | null | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (stream) stream.once('close', resolve).once('end', resolve);
    else resolve();
  });
}
