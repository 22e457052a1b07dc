import { type ChildProcess, spawn } from 'node:child_process';
import { processTree } from './process-tree.js';

const KEPT = 10_000;

/** How to start a program. */
export interface StartOptions {
  /** The program and its arguments. */
  argv: readonly string[];
  cwd?: string;
  /** Added to this process's environment; undefined removes a variable. */
  env?: NodeJS.ProcessEnv;
}

/** The process of a kernel. */
export class KernelProcess {
  /** Resolves with the exit code or the signal's name once it has ended, or with why it could not start. */
  readonly ended: Promise<number | string>;
  hasEnded = false;
  /** The end of what it wrote. */
  said = '';
  readonly #child: ChildProcess;

  constructor({ argv: [program = '', ...words], cwd, env }: StartOptions) {
    this.#child = spawn(program, words, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (text) => {
        this.said = (this.said + text).slice(-KEPT);
      });
    }
    this.ended = new Promise((resolve) => {
      const end = (how: number | string) => {
        this.hasEnded = true;
        resolve(how);
      };
      this.#child.once('error', (error) => end(error.message));
      this.#child.once('exit', (code, signal) => end(code ?? signal ?? 0));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Kills it and its descendants, if it still runs. */
  async end(): Promise<void> {
    if (this.hasEnded || this.#child.pid === undefined) return;
    for (const pid of processTree(this.#child.pid)) endByForce(pid);
    await this.ended;
  }
}

function endByForce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
