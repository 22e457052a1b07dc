import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { packageRoot } from '../package-root.js';
import type {
  CellFault,
  CellOutcome,
  CommEvent,
  InputRequest,
  OutputEvent,
  RunnerCommand,
  RunnerEvent,
} from './events.js';
import { encodeFrame, FrameDecoder } from './frame-codec.js';
import { NativeOutput } from './native-output.js';
import { PIPES } from './pipes.js';
import { type ProcessEnd, processFault } from './process-fault.js';

const CLOSE_GRACE_MS = 700;
const DRAIN_MS = 300;

/** Who hears of what a cell does. All but `onInput` may also be called once the cell is over, as long as its process lives. */
export interface CellListener {
  /** Gets what the cell shows, in order. */
  onOutput?: (event: OutputEvent) => void;
  /** Gets errors that no cell awaits, of this cell, which is over. Default: shown by `onOutput` as error stream. */
  onFault?: (fault: CellFault) => void;
  /** Asks the reader for a line. Without it, or where it rejects, asking fails in the cell with an error that says so. */
  onInput?: (request: InputRequest) => Promise<string>;
  /** Gets comm messages of the cell's code. */
  onComm?: (comm: CommEvent) => void;
}

/** A process that runs the cells of one notebook and keeps their state. */
export interface Runner {
  /**
   * Runs a cell, after those that were given before. Never rejects: whatever ends the cell, even the end of the
   * process, is its outcome.
   *
   * @param options.name How traces call the cell: `cell 3`. Default `cell`.
   * @param options.expressions Evaluated once the cell has ended well, by name; their values are in the outcome.
   */
  execute(
    code: string,
    options?: { name?: string; expressions?: Record<string, string> } & CellListener,
  ): Promise<CellOutcome>;
  /**
   * Ends the running cell, whatever it is doing, with an {@link INTERRUPTED} fault; what it and the cells before it
   * defined stays. Nothing happens where none is running.
   */
  interrupt(): void;
  /** Hands a front end's comm message to the user's code. */
  sendComm(comm: CommEvent): void;
  /** Whether the process can still run cells. */
  readonly isAlive: boolean;
  /** Resolves once the process has ended, by whatever cause, with what there is to say of it. */
  readonly ended: Promise<CellFault>;
  /** Ends the process, whatever it is doing; resolves once it has ended. */
  close(): Promise<void>;
}

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
  const main = join(packageRoot(), 'dist', 'kernel', 'runner', 'main.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const file = options.file ?? join(options.cwd, 'notebook.ts');
  const child = spawn(process.execPath, [...flags, main, file], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  return new RunnerProcess(child);
}

class RunnerProcess implements Runner {
  isAlive = true;
  readonly ended: Promise<CellFault>;
  readonly #child: ChildProcess;
  readonly #native: NativeOutput;
  readonly #end: ProcessEnd = {};
  readonly #listeners = new Map<number, CellListener>();
  readonly #waiting = new Map<number, (outcome: CellOutcome) => void>();
  #lastId = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#native = new NativeOutput(child.stdout, child.stderr, (event, cell) =>
      this.#listener(cell ?? this.#running())?.onOutput?.(event),
    );
    const decoder = new FrameDecoder<RunnerEvent[]>();
    const events = child.stdio[PIPES.events] as Readable;
    events.on('data', (chunk: Buffer) => {
      for (const batch of decoder.push(chunk)) for (const event of batch) this.#take(event);
    });
    for (const stream of child.stdio) stream?.on('error', () => {});
    const allRead = Promise.all([events, child.stdout, child.stderr].map(whenEnded));
    this.ended = whenExited(child).then(async (end) => {
      Object.assign(this.#end, end);
      // A child of the user's may hold the streams open for as long as it lives.
      await Promise.race([allRead, afterMs(DRAIN_MS)]);
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

  interrupt(): void {
    const [cell] = this.#waiting.keys();
    if (!this.isAlive || cell === undefined) return;
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(cell);
    this.#pipe(PIPES.lifeline).write(bytes);
  }

  sendComm(comm: CommEvent): void {
    this.#send({ type: 'comm', comm });
  }

  async close(): Promise<void> {
    this.#end.isClosed = true;
    this.#pipe(PIPES.commands).end();
    this.#pipe(PIPES.lifeline).end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_GRACE_MS);
    await this.ended;
    clearTimeout(timer);
  }

  #pipe(fd: number): Writable {
    return this.#child.stdio[fd] as Writable;
  }

  #send(command: RunnerCommand): void {
    if (this.isAlive) this.#pipe(PIPES.commands).write(encodeFrame(command));
  }

  /** The cell that runs now, or else the last that did. */
  #running(): number {
    const [oldest] = this.#waiting.keys();
    return oldest ?? this.#lastId;
  }

  #listener(cell: number): CellListener | undefined {
    return this.#listeners.get(cell);
  }

  #take(event: RunnerEvent): void {
    if (event.type === 'exit') this.#end.exitCode = event.code;
    else if (event.type === 'done') {
      const { id, outcome } = event;
      void this.#native.upTo(id, event.marked).then(() => this.#settle(id, outcome));
    } else if (event.type !== 'ready') this.#tell(event);
  }

  #tell(event: Exclude<RunnerEvent, { type: 'exit' | 'done' | 'ready' }>): void {
    const listener = this.#listener(event.cell);
    if (event.type === 'output') listener?.onOutput?.(event.event);
    else if (event.type === 'comm') listener?.onComm?.(event.comm);
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

  #settle(id: number, outcome: CellOutcome): void {
    this.#waiting.get(id)?.(outcome);
    this.#waiting.delete(id);
  }

  #settleAll(): CellFault {
    this.isAlive = false;
    this.#native.end();
    for (const stream of this.#child.stdio) stream?.destroy();
    this.#end.isOutOfMemory = this.#native.sawOutOfMemory;
    const fault = processFault(this.#end);
    for (const id of [...this.#waiting.keys()]) this.#settle(id, { status: 'error', fault });
    return fault;
  }
}

function whenExited(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ crashCode: code, signal }));
    child.once('error', (failure) => resolve({ failure }));
  });
}

function whenEnded(stream: Readable | null): Promise<void> {
  return new Promise((resolve) => {
    if (stream) stream.once('close', resolve).once('end', resolve);
    else resolve();
  });
}

function afterMs(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs).unref();
  });
}
