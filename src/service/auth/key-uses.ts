import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../whole-file.js';
import { privateFolder } from './private-folder.js';

/** How often the use of one key is written down at most. */
const EVERY_MS = 60_000;

/** The folder of a data folder that holds them, a file a key. */
const FOLDER = 'key-uses';

/**
 * Notes when each key was used last, at most once a minute a key and beside the request: nothing waits for the disk.
 * Not in the key's own file, whose folder a running service watches for changes.
 */
export class KeyUses {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #noted = new Map<string, number>();
  readonly #writing = new Set<Promise<void>>();

  /** @param now The time in milliseconds since 1970. */
  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
  }

  /** Notes that a key was used now; returns at once. A folder that cannot be written keeps the older note. */
  note(id: string): void {
    const now = this.#now();
    if (now - (this.#noted.get(id) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return;
    this.#noted.set(id, now);
    const writing = this.#write(id, now)
      // A query is answered on a full or read-only disk too.
      .catch(() => {})
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Settles once what was noted is on disk. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #write(id: string, now: number): Promise<void> {
    await privateFolder(join(this.#folder, FOLDER));
    await writeWhole(pathOf(this.#folder, id), `${new Date(now).toISOString()}\n`, { mode: 0o600 });
  }
}

/** When a key was used last, as ISO 8601 text in UTC to the minute or so, or undefined where it never was. */
export async function lastUse(folder: string, id: string): Promise<string | undefined> {
  const text = (await readFile(pathOf(folder, id), 'utf8').catch(() => '')).trim();
  return Number.isNaN(Date.parse(text)) ? undefined : text;
}

/** Removes the note of a key that is revoked. @throws What the system said, where it cannot be removed. */
export async function forgetUse(folder: string, id: string): Promise<void> {
  await rm(pathOf(folder, id), { force: true });
}

function pathOf(folder: string, id: string): string {
  return join(folder, FOLDER, id);
}
