import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { packageRoot } from '../package-root.js';
import type { CellFault, CellOutcome, OutputEvent, RunnerCommand, RunnerEvent } from './events.js';
import { encodeFrame, FrameDecoder } from './frame-codec.js';
import { NativeOutput } from './native-output.js';
import { PIPES } from './pipes.js';

const CLOSE_GRACE_MS = 1500;
const DRAIN_MS = 300;

/** A process that runs the cells of one notebook and keeps their state. */
export interface Runner {
  /**
   * Runs a cell. Never rejects: whatever ends the cell, even the end of the process, is its outcome.
   *
   * @param options.name How traces call the cell. Default `cell`.
   * @param options.onOutput Gets what the cell shows, in order; also what comes later, until the next cell starts.
   */
  execute(code: string, options?: { name?: string; onOutput?: (event: OutputEvent) => void }): Promise<CellOutcome>;
  /** Whether the process can still run cells. */
  readonly isAlive: boolean;
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
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #native: NativeOutput;
  #lastId = 0;
  #exitCode: number | undefined;
  #failure: Error | undefined;
  #onOutput: (event: OutputEvent) => void = () => {};
  readonly #waiting = new Map<number, (outcome: CellOutcome) => void>();

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#native = new NativeOutput(child.stdout, child.stderr, (event) => this.#onOutput(event));
    const decoder = new FrameDecoder<RunnerEvent[]>();
    const events = child.stdio[PIPES.events] as Readable;
    events.on('data', (chunk: Buffer) => {
      for (const batch of decoder.push(chunk)) for (const event of batch) this.#take(event);
    });
    for (const stream of child.stdio) stream?.on('error', () => {});
    const allRead = ended(events);
    this.#ended = new Promise((resolve) => {
      const end = async (): Promise<void> => {
        await Promise.race([allRead, afterMs(DRAIN_MS)]);
        this.#settleAll();
        resolve();
      };
      child.once('exit', end);
      child.once('error', (error) => {
        this.#failure = error;
        void end();
      });
    });
  }

  execute(
    code: string,
    { name = 'cell', onOutput = () => {} }: { name?: string; onOutput?: (event: OutputEvent) => void } = {},
  ): Promise<CellOutcome> {
    if (!this.isAlive) return Promise.resolve(this.#ending());
    this.#onOutput = onOutput;
    const id = ++this.#lastId;
    const command: RunnerCommand = { type: 'execute', id, code, name };
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#pipe(PIPES.commands).write(encodeFrame(command));
    });
  }

  async close(): Promise<void> {
    this.#pipe(PIPES.commands).end();
    this.#pipe(PIPES.lifeline).end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_GRACE_MS);
    await this.#ended;
    clearTimeout(timer);
    for (const stream of this.#child.stdio) stream?.destroy();
  }

  #pipe(fd: number): Writable {
    return this.#child.stdio[fd] as Writable;
  }

  #take(event: RunnerEvent): void {
    if (event.type === 'exit') this.#exitCode = event.code;
    else if (event.type === 'done') {
      const { id, outcome } = event;
      void this.#native.upTo(id, event.marked).then(() => this.#settle(id, outcome));
    } else if (event.type !== 'ready') this.#onOutput(event);
  }

  #settle(id: number, outcome: CellOutcome): void {
    this.#waiting.get(id)?.(outcome);
    this.#waiting.delete(id);
  }

  #settleAll(): void {
    this.isAlive = false;
    this.#native.end();
    for (const id of [...this.#waiting.keys()]) this.#settle(id, this.#ending());
  }

  #ending(): CellOutcome {
    const fault = this.#failure ? spawnFault(this.#failure) : this.#exitFault();
    return { status: 'error', fault: { ...fault, traceback: [`${fault.name}: ${fault.message}`] } };
  }

  #exitFault(): Omit<CellFault, 'traceback'> {
    const { signalCode } = this.#child;
    if (this.#native.sawOutOfMemory) {
      const remedy = 'work on less data at once, or raise the limit: NODE_OPTIONS=--max-old-space-size=MEGABYTES';
      return { name: 'OutOfMemory', message: `The cell used up the memory of its process: ${remedy}` };
    }
    if (this.#exitCode !== undefined) {
      const message = `The cell ended its process by process.exit(${this.#exitCode}). Everything it had defined is gone.`;
      return { name: 'ProcessExit', message };
    }
    const how = signalCode ? `was ended by the signal ${signalCode}` : `crashed with code ${this.#child.exitCode}`;
    return { name: 'ProcessCrash', message: `The process that runs the cells ${how}. Everything defined is gone.` };
  }
}

function spawnFault(failure: Error): Omit<CellFault, 'traceback'> {
  return { name: 'ProcessCrash', message: `The process that runs the cells could not start: ${failure.message}` };
}

function ended(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.once('close', resolve).once('end', resolve);
  });
}

function afterMs(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs).unref();
  });
}
