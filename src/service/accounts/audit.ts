import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, unlink } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { DataError, messageOf } from '../../base/errors.js';
import { systemErrorCode, writeWhole } from '../../base/whole-file.js';
import { ifThere } from '../folder/folder-layout.js';
import { privateFolder } from './private-files.js';

/** The events that an operator answers for, by their name in the log, which stays. The documentation lists them. */
export const AUDIT_EVENTS = {
  'account created': 'somebody signed in for the first time',
  'account disabled': 'its `keys` are refused, its `sessions` were ended',
  'account enabled': 'its `keys` are accepted again',
  'account deleted': 'its `keys` were revoked, its `sessions` ended, its files removed',
  'key created': '`role` is that of the key',
  'key revoked': 'the key is refused',
  'sign-in link sent': 'a link was made, to be mailed or shown in the terminal; a mail that fails is a `failure`',
  'sign-in': 'somebody pressed the button of a link',
  'sign-in refused':
    '`reason`: `sign-up closed` (no account, and none may be made), `account disabled`, `account damaged` (its file), `link over`, `too often` (of this client, or for this address), `form expired`, `foreign form` (of another site, or forged)',
  'data served':
    'queries are answered from another version (`was`, `served`) than before, or from the first; an `error` line where `problem` tells why it is not the `current` one, or not whole',
  'data rolled back': 'the same, after a rollback to this older version',
} as const;

export type AuditEvent = keyof typeof AUDIT_EVENTS;

/** What is told of an event: ids and keyed hashes, never an address, a key or a token. */
export interface AuditDetails {
  /** The account that it concerns. */
  readonly account?: string | undefined;
  /** A keyed hash of the address that it concerns, where this has no account. */
  readonly address?: string | undefined;
  /** The id of the key that it concerns. */
  readonly key?: string | undefined;
  /** The role of a new key. */
  readonly role?: string | undefined;
  readonly reason?: string | undefined;
  readonly keys?: number | undefined;
  readonly sessions?: number | undefined;
  /** Who did it, if not the account itself: an operator's account, or `command` for one of the commands. */
  readonly by?: string | undefined;
  /** The user of the system who ran the command. */
  readonly user?: string | undefined;
  /** When the command did it, as ISO 8601 text. */
  readonly at?: string | undefined;
  /** The id of the request. */
  readonly id?: string | undefined;
  /** The client's address. */
  readonly client?: string | undefined;
}

/** Notes an event in the log. */
export type Audit = (event: AuditEvent, details: AuditDetails) => void;

/** As {@link Audit}; what a command has left is kept until a promise that it returns settles. */
export type WrittenAudit = (event: AuditEvent, details: AuditDetails) => void | Promise<void>;

const leftEvent = z.looseObject({ event: z.enum(Object.keys(AUDIT_EVENTS) as [AuditEvent, ...AuditEvent[]]) });

/** The folder in a data folder that holds what commands have done and no service has logged yet. */
const FOLDER = 'events';

/** How many events wait for a service at most, such as where it logs nothing; beyond, the oldest are dropped. */
export const MOST_LEFT = 1000;

/**
 * Leaves what a command has done in the data folder: a service over it logs it within a second or, if none runs, once
 * one is started.
 *
 * @throws {DataError} If it cannot be written; what the command did is done all the same.
 */
export async function leaveEvent(folder: string, event: AuditEvent, details: AuditDetails): Promise<void> {
  const at = new Date().toISOString();
  const left = { event, ...details, by: 'command', user: userName(), at };
  const events = join(folder, FOLDER);
  try {
    await privateFolder(events);
    const path = join(events, `${at.replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.json`);
    await writeWhole(path, `${JSON.stringify(left)}\n`, { mode: 0o600, durable: true });
    const over = (await readdir(events)).sort().slice(0, -MOST_LEFT);
    for (const name of over) await rm(join(events, name), { force: true });
    if (over.length > 0) process.emitWarning(`No service has logged the events in ${events}: the oldest is dropped.`);
  } catch (cause) {
    const where = `could not be left for the log of its service: ${messageOf(cause)}`;
    throw new DataError(`It is done, but the event "${event}" ${where}`, { cause });
  }
}

/** The name of the system's user; undefined for one without a name, as in some containers. */
function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** After this time, whoever claimed an event has died before it was logged. */
const CLAIM_MS = 60_000;

/**
 * Takes the events that commands have left, oldest first: of several services and workers, one gets each. It claims an
 * event by a new name, and removes it only once it is logged: if it dies meanwhile, another one logs it later.
 *
 * @throws {DataError} If one cannot be taken, or is damaged; the others are taken all the same.
 */
async function takeEvents(folder: string, audit: WrittenAudit): Promise<void> {
  const names = (await ifThere(`the events of ${folder}`, readdir(join(folder, FOLDER)))) ?? [];
  let failure: DataError | undefined;
  for (const name of names.sort()) {
    const [, event = '', claimed] = /^(.+)\.json(?:\.taken-(\d+))?$/.exec(name) ?? [];
    if (event === '' || Date.now() - Number(claimed ?? 0) < CLAIM_MS) continue;
    const path = join(folder, FOLDER, `${event}.json`);
    const claim = `${path}.taken-${Date.now()}`;
    try {
      // Of several renames one succeeds.
      await rename(join(folder, FOLDER, name), claim);
      await logEvent(await readFile(claim, 'utf8'), audit);
      await unlink(claim);
    } catch (cause) {
      if (systemErrorCode(cause) === 'ENOENT') continue;
      if (cause instanceof z.ZodError || cause instanceof SyntaxError) await rm(claim, { force: true });
      const why = systemErrorCode(cause) ?? 'it is damaged';
      failure = new DataError(`The event ${path} cannot be taken into the log (${why}).`, { cause });
    }
  }
  if (failure) throw failure;
}

async function logEvent(text: string, audit: WrittenAudit): Promise<void> {
  const { event, ...details } = leftEvent.parse(JSON.parse(text));
  await audit(event, details as AuditDetails);
}

/** How often it is looked for events of commands. */
const LOOK_MS = 1000;

/** Logs what commands leave in a data folder, until told to stop. A failure is a warning, once. @returns Stops it. */
export function logLeftEvents(folder: string, audit: WrittenAudit): () => void {
  let isLooking = false;
  let isWarned = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      await takeEvents(folder, audit);
    } catch (error) {
      if (!isWarned) process.emitWarning(messageOf(error));
      isWarned = true;
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return () => clearInterval(timer);
}
