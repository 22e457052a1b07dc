import { stat } from 'node:fs/promises';
import type { ContainedFolder } from './contained-folder.js';
import { missing, type PartFile } from './part-file.js';
import { PageRefusal } from './refusal.js';

/** A file of which a part has come. */
interface Upload {
  readonly part: PartFile;
  /** Which page sends it. */
  readonly page: string;
  /** The number that the next piece must have, unless it is the last. */
  next: number;
  /** When the last piece came, in milliseconds. */
  at: number;
  timer: NodeJS.Timeout | undefined;
}

/** After this time without another piece an upload counts as broken off. */
const IDLE_MS = 5 * 60 * 1000;

/** After this time without another piece another upload may take its place. */
const FRESH_MS = 30_000;

/** A piece of a file, and which page sends it. */
interface Piece {
  readonly page: string;
  /** Its number: 1, 2 and so on; -1 for the last. */
  readonly chunk: unknown;
  readonly bytes: Uint8Array;
}

/** Files that come in pieces. They appear once they are whole; what breaks off leaves nothing. */
export class Uploads {
  readonly #folder: ContainedFolder;
  readonly #under = new Map<string, Upload>();

  constructor(folder: ContainedFolder) {
    this.#folder = folder;
  }

  /**
   * Takes a piece. Those of one file must be taken one after another.
   *
   * @param real Full path of the file, without links.
   * @returns Whether the file is whole now.
   * @throws {PageRefusal} 409 if another upload of the file is under way, 400 if the piece is not the next one; the
   * upload is then given up.
   */
  async take(path: string, real: string, { page, chunk, bytes }: Piece): Promise<boolean> {
    const under = this.#under.get(real);
    const isOther = under !== undefined && (chunk === 1 || under.page !== page);
    if (isOther && (chunk !== 1 || performance.now() - under.at < FRESH_MS)) {
      throw new PageRefusal(409, `${path} is being uploaded already: wait for that, or try again in half a minute.`);
    }
    const upload = chunk === 1 ? await this.#begin(real, page) : under;
    if (!upload || (chunk !== -1 && chunk !== upload.next)) {
      await this.#giveUp(real);
      throw new PageRefusal(400, `The upload of ${path} lacks a piece: upload it again.`);
    }
    clearTimeout(upload.timer);
    upload.next++;
    upload.at = performance.now();
    try {
      await upload.part.write(bytes);
      if (chunk !== -1) {
        upload.timer = setTimeout(() => void this.#giveUp(real).catch(() => {}), IDLE_MS).unref();
        return false;
      }
      this.#under.delete(real);
      await upload.part.finish();
      return true;
    } catch (error) {
      await this.#giveUp(real);
      throw error;
    }
  }

  /** Gives up what has not come to its end. */
  async close(): Promise<void> {
    await Promise.all([...this.#under.keys()].map((real) => this.#giveUp(real)));
  }

  async #begin(real: string, page: string): Promise<Upload> {
    await this.#giveUp(real);
    const older = await stat(real).catch((error) => missing(error));
    const part = await this.#folder.beginFile(real, (older?.mode ?? 0o666 & ~process.umask()) & 0o777);
    const upload = { part, page, next: 1, at: performance.now(), timer: undefined };
    this.#under.set(real, upload);
    return upload;
  }

  async #giveUp(real: string): Promise<void> {
    const upload = this.#under.get(real);
    this.#under.delete(real);
    clearTimeout(upload?.timer);
    await upload?.part.discard();
  }
}
