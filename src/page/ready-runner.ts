import { dirname } from 'node:path';
import { startNotebookRunner } from '../kernel/notebook-session.js';
import type { Runner } from '../kernel/wire/runner.js';

/** How long a process waits for the kernel that it was started for. */
const WAITING_MS = 15_000;

/** A process for the cells of a notebook that a page is about to open: it starts while the page does. */
export class ReadyRunner {
  #waiting: { readonly file: string; readonly runner: Runner; readonly timer: NodeJS.Timeout } | undefined;

  /**
   * Starts a process, unless one waits already. If no kernel takes it within 15 s, it ends.
   *
   * @param file Full path of the notebook.
   * @param env The whole environment of its cells.
   */
  prepare(file: string, env: NodeJS.ProcessEnv): void {
    if (this.#waiting) return;
    const runner = startNotebookRunner({ folder: dirname(file), file: () => file, env });
    const timer = setTimeout(() => void this.close(), WAITING_MS).unref();
    this.#waiting = { file, runner, timer };
  }

  /** Gives the process that waits for a notebook's kernel, if there is one that has not ended. */
  take(file: string): Runner | undefined {
    const waiting = this.#waiting;
    if (waiting?.file !== file) return undefined;
    clearTimeout(waiting.timer);
    this.#waiting = undefined;
    return waiting.runner.isAlive ? waiting.runner : undefined;
  }

  /** Ends the process, if one waits. */
  async close(): Promise<void> {
    const waiting = this.#waiting;
    if (waiting) await this.take(waiting.file)?.close();
  }
}
