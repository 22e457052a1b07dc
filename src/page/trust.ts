import { createHash, createHmac } from 'node:crypto';
import { appendFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../base/errors.js';
import { isObject } from '../base/texts.js';
import { orRefuse, writeWhole } from '../base/whole-file.js';
import { isCode, isMultiline, joinLines, type Notebook } from '../notebook/format/nbformat.js';
import { ownKey } from './own-key.js';
import { missing } from './part-file.js';

/** Digests that are kept; the oldest are forgotten first. */
const MOST_KEPT = 20_000;

/**
 * Knows which notebooks this user made or trusted, whose outputs may run scripts on the page. It keeps a digest of
 * their code cells, with a key that only this user can read, so that no file can claim to be one of them. What a file
 * says itself of trust is ignored.
 */
export class Trust {
  readonly #folder: string;
  readonly #log: (line: string) => void;
  #key: Promise<Buffer> | undefined;
  #known: ReadonlySet<string> = new Set();
  #read = '';

  /**
   * @param state Full path of an existing folder that only this user can read.
   * @param log Called with why trust could not be read or noted, where that must not stop what it is asked for.
   */
  constructor(state: string, log: (line: string) => void) {
    this.#folder = state;
    this.#log = log;
  }

  /**
   * Sets for each cell whether it is trusted. Code without outputs is: there is nothing yet that could run. Where it
   * cannot be told, outputs are not.
   */
  async mark(notebook: Notebook): Promise<void> {
    const isTrusted = await this.#orTell(async () => (await this.#digests()).has(await this.#digest(notebook)));
    for (const cell of notebook.cells) {
      const { trusted: _, ...metadata } = Object(cell.metadata);
      const isSafe = isCode(cell) && (isTrusted || cell.outputs.length === 0);
      cell.metadata = isSafe ? { ...metadata, trusted: true } : metadata;
    }
  }

  /** Notes that a notebook is trusted, as it is now. @throws {DataError} If that cannot be written. */
  async note(notebook: Notebook): Promise<void> {
    await orRefuse(this.#path, this.#note(notebook));
  }

  async #note(notebook: Notebook): Promise<void> {
    const digest = await this.#digest(notebook);
    const known = await this.#digests();
    if (known.has(digest)) return;
    // On a line of its own, even where a crash left half a line.
    if (known.size < MOST_KEPT) return appendFile(this.#path, `\n${digest}\n`, { mode: 0o600 });
    const kept = [...known, digest].slice(-MOST_KEPT / 2);
    await writeWhole(this.#path, `${kept.join('\n')}\n`, { mode: 0o600 });
  }

  /** Notes a notebook that the page saved, if all of its code is trusted there. A failure is only told: it is saved. */
  async noteSaved(content: unknown): Promise<void> {
    if (!isObject(content) || !Array.isArray(content.cells)) return;
    const notebook = content as Notebook;
    const code = notebook.cells.filter(isCode);
    if (code.length > 0 && code.every(({ metadata }) => Object(metadata).trusted === true)) {
      await this.#orTell(() => this.note(notebook));
    }
  }

  async #orTell<Result>(action: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await action();
    } catch (error) {
      this.#log(`Cannot tell which notebooks are trusted, so their outputs run nothing: ${messageOf(error)}`);
      return undefined;
    }
  }

  get #path(): string {
    return join(this.#folder, 'trusted-notebooks');
  }

  async #digest(notebook: Notebook): Promise<string> {
    const hash = createHash('sha256');
    for (const { source, outputs } of notebook.cells.filter(isCode)) {
      hash.update(JSON.stringify([joinLines(source), outputs.map((output) => canonical(output))]));
    }
    this.#key ??= ownKey(join(this.#folder, 'trust.key')).catch((error) => {
      // The next one may be luckier.
      this.#key = undefined;
      throw error;
    });
    return createHmac('sha256', await this.#key)
      .update(hash.digest())
      .digest('hex');
  }

  /** The digests on disk, to which another process may have added. */
  async #digests(): Promise<ReadonlySet<string>> {
    const found = await stat(this.#path).catch((error) => missing(error));
    const version = found ? [found.ino, found.size, found.mtimeMs].join() : '';
    if (version !== this.#read) {
      const text = found ? await readFile(this.#path, 'utf8') : '';
      this.#known = new Set(text.split('\n').filter((line) => /^[0-9a-f]{64}$/.test(line)));
      this.#read = version;
    }
    return this.#known;
  }
}

/** A value in a form that does not depend on the order of keys, nor on whether a text is kept as lines. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return isMultiline(value) && value.length > 0 ? joinLines(value) : value.map(canonical);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, canonical(value[key])]);
}
