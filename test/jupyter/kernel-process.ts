import { type ChildProcess, spawn } from 'node:child_process';
import { processTree } from './process-tree.js';

const KEPT = 10_000;

/** How to start a program. */
export interface StartOptions {
  /** The program and its arguments. */
  argv: readonly string[];
  cwd?: string;
  /** Beside this process's environment; undefined takes a variable away. */
  env?: NodeJS.ProcessEnv;
}

/** The process of a kernel. */
export class KernelProcess {
  /** Resolves with the code or the signal's name once it has ended, or with why it could not start. */
  readonly ended: Promise<number | string>;
  hasEnded = false;
  /** What it wrote, the end of it. */
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

  /** Ends it and all that stems from it by force, if it lives. */
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
    // It ended by itself.
  }
}
