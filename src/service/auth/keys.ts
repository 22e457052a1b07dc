import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DataError, UsageError } from '../../errors.js';
import { makeFolder } from '../../make-folder.js';
import { codeOf, writeWhole } from '../../whole-file.js';
import { folderError } from '../folder/folder-error.js';

const storedKey = z.object({ id: z.string(), name: z.string(), created: z.string(), sha256: z.string() });

/** What is kept of an API key: never the key, only its hash. */
export type StoredKey = z.output<typeof storedKey>;

/** Tells our keys apart in a log or a secret scanner. */
const PREFIX = 'odl_';

/**
 * Makes an API key for a data folder's service. It carries 256 random bits, so that a plain hash of it is safe to keep.
 *
 * @returns The key itself, which is shown this once, and what is kept of it.
 * @throws {DataError} If the folder cannot be written.
 */
export async function createKey(folder: string, name: string): Promise<{ key: string; stored: StoredKey }> {
  const key = PREFIX + randomBytes(32).toString('base64url');
  const stored = { id: randomBytes(4).toString('hex'), name, created: new Date().toISOString(), sha256: hashOf(key) };
  try {
    await makeFolder(folder);
    await mkdir(keysFolder(folder), { mode: 0o700 }).catch(unless('EEXIST'));
    // A file a key: two keys made at once never overwrite each other.
    await writeWhole(join(keysFolder(folder), `${stored.id}.json`), `${JSON.stringify(stored)}\n`, {
      mode: 0o600,
      durable: true,
    });
  } catch (error) {
    throw folderError(folder, error);
  }
  return { key, stored };
}

/** Lets an error of this code pass. */
function unless(code: string): (error: unknown) => void {
  return (error) => {
    if (codeOf(error) !== code) throw error;
  };
}

/** The keys of a data folder, oldest first; none where it has no keys yet. */
export async function listKeys(folder: string): Promise<StoredKey[]> {
  const names = await readdir(keysFolder(folder)).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw new DataError(`Cannot read the keys of ${folder}: ${codeOf(error) ?? error}.`, { cause: error });
  });
  const keys: StoredKey[] = [];
  for (const name of names.filter((entry) => entry.endsWith('.json'))) {
    const path = join(keysFolder(folder), name);
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw new DataError(`Cannot read the key file ${path}: ${codeOf(error) ?? error}.`, { cause: error });
    });
    if (text !== undefined) keys.push(parseKey(path, text));
  }
  return keys.sort((a, b) => (a.created < b.created ? -1 : a.created > b.created ? 1 : a.id < b.id ? -1 : 1));
}

/** Revokes a key by its id: the next request with it is refused. @throws {UsageError} If there is no such key. */
export async function revokeKey(folder: string, id: string): Promise<void> {
  const known = await listKeys(folder);
  if (!known.some((key) => key.id === id)) {
    throw new UsageError(`No key ${id} in ${folder}; it has ${known.map((key) => key.id).join(', ') || 'no keys'}.`);
  }
  try {
    await rm(join(keysFolder(folder), `${id}.json`));
  } catch (error) {
    throw folderError(folder, error);
  }
}

/** Whether a presented key is one of these, without telling by time how near it came. */
export function isKnownKey(keys: readonly StoredKey[], presented: string): boolean {
  const hash = Buffer.from(hashOf(presented), 'hex');
  let known = false;
  for (const { sha256 } of keys) {
    const stored = Buffer.from(sha256, 'hex');
    if (stored.length === hash.length && timingSafeEqual(stored, hash)) known = true;
  }
  return known;
}

function keysFolder(folder: string): string {
  return join(folder, 'keys');
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function parseKey(path: string, text: string): StoredKey {
  try {
    return storedKey.parse(JSON.parse(text));
  } catch (cause) {
    throw new DataError(`The key file ${path} is damaged: remove it and create another key.`, { cause });
  }
}
