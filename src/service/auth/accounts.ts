import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DataError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { folderError } from '../folder/folder-layout.js';
import { privateFolder } from './private-folder.js';
import { writeOnce } from './write-once.js';

const account = z.object({ id: z.string(), email: z.string(), created: z.string() });

/** Somebody who has signed in to the dashboard; their keys have the `id` as their `owner`. */
export type Account = z.output<typeof account>;

/**
 * Finds the account of an address, or makes it: the file `accounts/ID.json` in the data folder, whose id is the
 * beginning of the address's SHA-256.
 *
 * @param email An address as `readEmailAddress` gives it.
 * @param nowMs The time in milliseconds since 1970.
 * @returns The account, and whether this call made it; of several calls at once, one does.
 * @throws {DataError} If the folder cannot be written.
 */
export async function openAccount(
  folder: string,
  email: string,
  nowMs: number,
): Promise<{ account: Account; isNew: boolean }> {
  const id = createHash('sha256').update(email).digest('hex').slice(0, 32);
  const found = await findAccount(folder, id);
  if (found) return { account: found, isNew: false };
  const made = { id, email, created: new Date(nowMs).toISOString() };
  try {
    await privateFolder(join(folder, 'accounts'));
    const isNew = await writeOnce(pathOf(folder, id), `${JSON.stringify(made)}\n`);
    return { account: made, isNew };
  } catch (error) {
    throw folderError(folder, error);
  }
}

/** Finds the account with this id, or undefined. @throws {DataError} If its file cannot be read, or is damaged. */
export async function findAccount(folder: string, id: string): Promise<Account | undefined> {
  const path = pathOf(folder, id);
  try {
    return account.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    if (systemErrorCode(cause) === 'ENOENT') return undefined;
    throw new DataError(`The account file ${path} cannot be read, or is damaged: restore or remove it.`, { cause });
  }
}

function pathOf(folder: string, id: string): string {
  return join(folder, 'accounts', `${id}.json`);
}
