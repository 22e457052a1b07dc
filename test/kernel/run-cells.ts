import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startRunner } from '../../src/kernel/runner-process.js';
import type { CellOutcome, OutputEvent, Runner } from '../../src/kernel/wire/runner.js';

/** The outputs of a cell, and how it ended. */
export interface Ran {
  name: string;
  events: OutputEvent[];
  outcome: CellOutcome;
  /** The plain text of its result. */
  result: unknown;
}

/** A runner in a folder of its own, for one test. */
export class TestNotebook {
  readonly folder = mkdtempSync(join(tmpdir(), 'oddslab-runner-'));
  readonly runner: Runner = startRunner({ cwd: this.folder });
  #count = 0;

  /** Runs the next cell; cells are named `cell 1`, `cell 2` … */
  async run(code: string): Promise<Ran> {
    this.#count += 1;
    const events: OutputEvent[] = [];
    const name = `cell ${this.#count}`;
    const outcome = await this.runner.execute(code, {
      name,
      onOutput: (event) => addJoined(events, event),
    });
    const result = events.find((event) => event.type === 'result')?.data['text/plain'];
    return { name, events, outcome, result };
  }

  /** Runs cells and returns the last one's result; throws if any of them fails. */
  async value(...cells: string[]): Promise<unknown> {
    let result: unknown;
    for (const code of cells) {
      const ran = await this.run(code);
      if (ran.outcome.status === 'error') throw new Error(`${code}\n${ran.outcome.fault.traceback.join('\n')}`);
      result = ran.result;
    }
    return result;
  }

  write(name: string, text: string): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  async close(): Promise<void> {
    await this.runner.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** Adds an event; joins consecutive texts of a stream, which may come in any number of parts. */
function addJoined(events: OutputEvent[], event: OutputEvent): void {
  const last = events.at(-1);
  if (event.type !== 'stream' || last?.type !== 'stream' || last.name !== event.name) events.push(event);
  else events[events.length - 1] = { ...last, text: last.text + event.text };
}
