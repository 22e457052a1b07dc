import { hash, randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DataError, UsageError } from '../../base/errors.js';
import { systemErrorCode, writeWhole } from '../../base/whole-file.js';
import { folderError, ifThere } from '../folder/folder-layout.js';
import { forgetUse } from './key-uses.js';
import { privateFolder } from './private-files.js';

/** What a key, or an account of the dashboard, is for: to ask for data, or also to run the service. */
export const ROLES = ['reader', 'operator'] as const;
export type Role = (typeof ROLES)[number];

const storedKey = z.object({
  id: z.string(),
  name: z.string(),
  created: z.string(),
  sha256: z.string(),
  owner: z.string().optional(),
  role: z.enum(ROLES).optional(),
});

/**
 * What is kept of an API key: only its hash. `owner` is the account that it was made for in the dashboard; `role` is
 * left out for a reader's.
 */
export type StoredKey = z.output<typeof storedKey>;

/** Makes keys of this service recognizable, for people and secret scanners. */
const PREFIX = 'odl_';

/**
 * Makes an API key for a data folder's service. It has 256 random bits, so a plain hash of it is safe to keep.
 *
 * @param options.owner The id of the account that it is for. Default: none, for a key that the command makes.
 * @param options.role Default: a reader's.
 * @returns The key itself, to be shown only once, and what is kept of it.
 * @throws {DataError} If the folder cannot be written.
 */
export async function createKey(
  folder: string,
  name: string,
  { owner, role = 'reader' }: { owner?: string; role?: Role } = {},
): Promise<{ key: string; stored: StoredKey }> {
  const key = PREFIX + randomBytes(32).toString('base64url');
  const stored: StoredKey = {
    id: randomBytes(8).toString('hex'),
    name,
    created: new Date().toISOString(),
    sha256: hashKey(key),
    ...(owner === undefined ? {} : { owner }),
    ...(role === 'reader' ? {} : { role }),
  };
  try {
    await privateFolder(keysFolder(folder));
    // One file for each key, so that two keys made at once never overwrite each other.
    const text = `${JSON.stringify(stored)}\n`;
    await writeWhole(keyPath(folder, stored.id), text, { mode: 0o600, durable: true });
    return { key, stored };
  } catch (error) {
    throw folderError(folder, error);
  }
}

/** How many key files are read at a time. */
const READ_AT_ONCE = 64;

/**
 * Lists the keys of a data folder, oldest first. A file that is damaged, or that this user may not read, is skipped, with
 * one warning in each process.
 *
 * @param known The keys of an earlier call: their files never change, and are not read again.
 * @param onSkip Called if a file is skipped, whose repair may not show as a change of the folder.
 * @throws {DataError} If the folder cannot be read, or a file cannot be read for a reason that may be temporary.
 */
export async function listKeys(
  folder: string,
  known: readonly StoredKey[] = [],
  onSkip = () => {},
): Promise<StoredKey[]> {
  const names = await ifThere(`the keys of ${folder}`, readdir(keysFolder(folder)));
  const read = new Map(known.map((key) => [`${key.id}.json`, key]));
  const there = (names ?? []).filter((name) => name.endsWith('.json'));
  const keys: StoredKey[] = [];
  for (let start = 0; start < there.length; start += READ_AT_ONCE) {
    const some = there
      .slice(start, start + READ_AT_ONCE)
      .map((name) => read.get(name) ?? readKey(folder, name).catch((error) => skipKey(error, onSkip)));
    for (const key of await Promise.all(some)) if (key) keys.push(key);
  }
  return keys.sort((a, b) => (a.created < b.created ? -1 : a.created > b.created ? 1 : a.id < b.id ? -1 : 1));
}

/** Codes of errors that last until somebody repairs the file; an error without a code is about its content. */
const LASTING: ReadonlySet<string | undefined> = new Set([undefined, 'EACCES', 'EPERM', 'EISDIR']);

const warned = new Set<string>();

/** Leaves out one key, so that the others work. @throws An error that may be temporary: a key left out is refused. */
function skipKey(error: unknown, onSkip: () => void): undefined {
  if (!(error instanceof DataError) || !LASTING.has(systemErrorCode(error.cause))) throw error;
  if (!warned.has(error.message)) process.emitWarning(`${error.message} Until then it counts as no key.`);
  warned.add(error.message);
  onSkip();
}

/** Reads a key's file; undefined if the key was revoked meanwhile. */
async function readKey(folder: string, name: string): Promise<StoredKey | undefined> {
  const path = join(keysFolder(folder), name);
  try {
    const key = storedKey.parse(JSON.parse(await readFile(path, 'utf8')));
    // A key is revoked, and looked for, by its id.
    if (name !== `${key.id}.json`) throw new Error('The file has the name of another key.');
    return key;
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === 'ENOENT') return undefined;
    throw new DataError(
      code === undefined
        ? `The key file ${path} is damaged: remove it and create another key.`
        : `Cannot read the key file ${path} (${code}): let this user read it, or remove it.`,
      { cause },
    );
  }
}

/** Revokes a key by its id: the next request with it is refused. @throws {UsageError} If there is no such key. */
export async function revokeKey(folder: string, id: string): Promise<void> {
  if (!/^[\w-]+$/.test(id) || !(await readKey(folder, `${id}.json`))) throw await noSuchKey(folder, id);
  try {
    await rm(keyPath(folder, id), { force: true });
    await forgetUse(folder, id);
  } catch (error) {
    throw folderError(folder, error);
  }
}

/** How many keys an error names at most. */
const NAMED = 10;

async function noSuchKey(folder: string, id: string): Promise<UsageError> {
  const ids = (await listKeys(folder)).map((key) => key.id);
  const named = ids.slice(0, NAMED).join(', ') + (ids.length > NAMED ? ` and ${ids.length - NAMED} more` : '');
  return new UsageError(`No key ${id} in ${folder}; it has ${named || 'no keys'}.`);
}

/** The folder with one file for each key. */
export function keysFolder(folder: string): string {
  return join(folder, 'keys');
}

/** The file of a key: the key is valid as long as it is there. */
export function keyPath(folder: string, id: string): string {
  return join(keysFolder(folder), `${id}.json`);
}

/** The longest name of a key, in characters. */
export const MAX_KEY_NAME = 60;

/** What is wrong with the name of a key; undefined if nothing is. */
export function keyNameError(name: string): string | undefined {
  if (name === '') return 'Give the key a name.';
  if ([...name].length > MAX_KEY_NAME) return `A name has at most ${MAX_KEY_NAME} characters.`;
  return HIDDEN_CHARACTERS.test(name) ? 'A name has no control characters.' : undefined;
}

/**
 * Control and direction characters, which could falsify a listing in a terminal or on a page. The two joiners are
 * allowed after what they join: emoji are made with one, and Persian is written with the other.
 */
const HIDDEN_CHARACTERS = /[^\P{C}\u200c\u200d]|[\p{Zl}\p{Zp}]|(?<![\p{L}\p{M}\p{N}\p{S}])[\u200c\u200d]/u;

/** The SHA-256 of an API key in hexadecimal, all that is kept. It needs no salt, as a key has 256 random bits. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}
