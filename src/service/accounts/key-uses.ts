import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../base/whole-file.js';
import { privateFolder } from './private-files.js';

/** The least time between two notes on one key. */
const NOTE_EVERY_MS = 60_000;

/** The folder in a data folder that holds the notes, one file for each key. */
const FOLDER = 'key-uses';

/**
 * Notes when each key was last used, at most once a minute for each key. It writes in the background: no request waits
 * for the disk. The notes are not in the keys' own files, because a running service watches their folder for changes.
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

  /** Notes that a key was used now; returns at once. If the note cannot be written, the older one stays. */
  note(id: string): void {
    const now = this.#now();
    if (now - (this.#noted.get(id) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return;
    this.#noted.set(id, now);
    const writing = this.#write(id, now)
      // Queries are answered even if the disk is full or read-only.
      .catch(() => {})
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Settles once all notes are written. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #write(id: string, now: number): Promise<void> {
    await privateFolder(join(this.#folder, FOLDER));
    await writeWhole(pathOf(this.#folder, id), `${new Date(now).toISOString()}\n`, { mode: 0o600 });
  }
}

/** When a key was last used, as ISO 8601 text in UTC, to about a minute; undefined if it never was. */
export async function lastUse(folder: string, id: string): Promise<string | undefined> {
  const text = (await readFile(pathOf(folder, id), 'utf8').catch(() => '')).trim();
  return Number.isNaN(Date.parse(text)) ? undefined : text;
}

/** Removes the note of a revoked key. @throws A system error if it cannot be removed. */
export async function forgetUse(folder: string, id: string): Promise<void> {
  await rm(pathOf(folder, id), { force: true });
}

function pathOf(folder: string, id: string): string {
  return join(folder, FOLDER, id);
}
