import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { systemErrorCode, writeWhole } from '../../base/whole-file.js';
import { folderError, ifThere } from '../folder/folder-layout.js';
import { privateFolder } from './private-files.js';

/** What tickets are for; their folder below `dashboard` has this name. */
type TicketSort = 'links' | 'sessions';

const ticketFile = z.object({ holder: z.string(), expires: z.number() });

/** How often expired tickets are removed. */
const SWEEP_MS = 10 * 60_000;

/** How tickets of one sort are kept. */
interface TicketOptions {
  /** Milliseconds until one expires. */
  lifetimeMs: number;
  /** The time in milliseconds since 1970. */
  now: () => number;
}

/**
 * Secrets that stand for somebody for a while: sign-in links and sessions. Each is a file named by the secret's hash.
 * So the folder gives no secret away, all processes over it share the tickets, and these survive a restart.
 */
export class Tickets {
  readonly #data: string;
  readonly #folder: string;
  readonly #options: TicketOptions;
  #swept = Number.NEGATIVE_INFINITY;

  constructor(data: string, sort: TicketSort, options: TicketOptions) {
    this.#data = data;
    this.#folder = ticketsFolder(data, sort);
    this.#options = options;
  }

  /**
   * Makes a ticket.
   *
   * @param holder The person or account that it stands for.
   * @returns Its secret: 43 characters that are safe in a URL and a cookie.
   * @throws {DataError} If the folder cannot be written.
   */
  async issue(holder: string): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const expires = this.#options.now() + this.#options.lifetimeMs;
    try {
      await privateFolder(join(this.#data, 'dashboard'));
      await privateFolder(this.#folder);
      await writeWhole(this.#pathOf(secret), `${JSON.stringify({ holder, expires })}\n`, { mode: 0o600 });
      await this.#sweep();
    } catch (error) {
      throw folderError(this.#data, error);
    }
    return secret;
  }

  /** The holder that a secret stands for; undefined if it is unknown, used up or expired. */
  async holderOf(secret: string): Promise<string | undefined> {
    if (!/^[\w-]{43}$/.test(secret)) return undefined;
    const ticket = await readTicket(this.#pathOf(secret));
    return ticket && this.#options.now() < ticket.expires ? ticket.holder : undefined;
  }

  /** As {@link Tickets.holderOf}, but uses the secret up: of several calls at once, one gets the holder. */
  async take(secret: string): Promise<string | undefined> {
    const holder = await this.holderOf(secret);
    if (holder === undefined) return undefined;
    try {
      // Of several calls at once only one unlink succeeds, which rm does not promise.
      await unlink(this.#pathOf(secret));
      return holder;
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return undefined;
      throw folderError(this.#data, error);
    }
  }

  #pathOf(secret: string): string {
    return join(this.#folder, `${createHash('sha256').update(secret).digest('hex')}.json`);
  }

  async #sweep(): Promise<void> {
    const now = this.#options.now();
    if (now - this.#swept < SWEEP_MS) return;
    this.#swept = now;
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      if (!name.endsWith('.json')) continue;
      const ticket = await readTicket(path);
      if (!ticket || ticket.expires <= now) await rm(path, { force: true });
    }
  }
}

/**
 * Removes all tickets of a holder, of one sort, from now on for every process.
 *
 * @param isOf Whether a ticket's holder is this one.
 * @returns How many there were.
 * @throws {DataError} If they cannot be read or removed.
 */
export async function dropTickets(data: string, sort: TicketSort, isOf: (holder: string) => boolean): Promise<number> {
  const folder = ticketsFolder(data, sort);
  let dropped = 0;
  for (const name of (await ifThere(folder, readdir(folder))) ?? []) {
    const path = join(folder, name);
    const ticket = name.endsWith('.json') ? await readTicket(path) : undefined;
    if (!ticket || !isOf(ticket.holder)) continue;
    await rm(path, { force: true }).catch((error: unknown) => {
      throw folderError(data, error);
    });
    dropped++;
  }
  return dropped;
}

function ticketsFolder(data: string, sort: TicketSort): string {
  return join(data, 'dashboard', sort);
}

/** Reads a ticket; undefined if it is missing, or damaged, for example by a power cut. */
async function readTicket(path: string): Promise<z.output<typeof ticketFile> | undefined> {
  const text = await ifThere(path, readFile(path, 'utf8'));
  try {
    return ticketFile.safeParse(JSON.parse(text ?? '')).data;
  } catch {
    return undefined;
  }
}
