interface Task {
  run(): Promise<void>;
  isUrgent: boolean;
}

/** Runs tasks one after another, because a server whose documents change must be asked one thing at a time. */
export class TaskQueue {
  #tasks: Task[] = [];
  #isRunning = false;

  /**
   * Queues a task after all others; an urgent one only after the urgent ones.
   *
   * @returns The task's result; `otherwise` if it throws.
   */
  run<T>(task: () => Promise<T>, options: { otherwise: T; isUrgent?: boolean }): Promise<T> {
    return new Promise((resolve) => {
      const { isUrgent = false } = options;
      const run = () =>
        task().then(resolve, () => {
          resolve(options.otherwise);
        });
      const at = isUrgent ? this.#tasks.findIndex((each) => !each.isUrgent) : -1;
      this.#tasks.splice(at === -1 ? this.#tasks.length : at, 0, { run, isUrgent });
      if (!this.#isRunning) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    for (let task = this.#tasks.shift(); task; task = this.#tasks.shift()) await task.run();
    this.#isRunning = false;
  }
}
