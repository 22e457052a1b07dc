import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DataError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { folderError } from '../folder/folder-layout.js';
import { privateFolder, writeOnce } from './private-files.js';

const accountFile = z.object({ id: z.string(), email: z.string(), created: z.string() });

/** Somebody who has signed in to the dashboard; their keys have the `id` as their `owner`. */
export type Account = z.output<typeof accountFile>;

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
    return accountFile.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    if (systemErrorCode(cause) === 'ENOENT') return undefined;
    throw new DataError(`The account file ${path} cannot be read, or is damaged: restore or remove it.`, { cause });
  }
}

function pathOf(folder: string, id: string): string {
  return join(folder, 'accounts', `${id}.json`);
}

/** A local part without quotes, comments, routes (`%`, `!`) and characters that split a header or a list. */
const LOCAL_PART = /^[a-z0-9#$&'*+/=?^_{}~-]+(\.[a-z0-9#$&'*+/=?^_{}~-]+)*$/;
const DOMAIN_LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const TOP_LEVEL = /^([a-z]{2,}|xn--[a-z0-9-]+)$/;

/**
 * Reads an e-mail address that a person typed. It accepts less than the standards allow: ASCII only, no quoted or
 * routed local part, and a domain with a dot that is no IP address.
 *
 * @returns The address in lower case without blanks around it. Mail goes to it, and it names the account, so two
 *   spellings are never two accounts. Dots and `+tags` are kept. Undefined if it is no address.
 * @example readEmailAddress(' Ann.Lee+odds@Example.ORG '); // 'ann.lee+odds@example.org'
 */
export function readEmailAddress(text: string): string | undefined {
  // Some characters beyond ASCII become ASCII in lower case, such as the Kelvin sign.
  if (text.length > 300 || !/^[\x20-\x7e]*$/.test(text)) return undefined;
  const address = text.trim().toLowerCase();
  const at = address.indexOf('@');
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  const labels = domain.split('.');
  const isDomain = labels.length >= 2 && labels.every((label) => label.length <= 63 && DOMAIN_LABEL.test(label));
  const isAddress = LOCAL_PART.test(local) && local.length <= 64 && isDomain && TOP_LEVEL.test(labels.at(-1) ?? '');
  return isAddress && address.length <= 254 ? address : undefined;
}
