import { UsageError } from '../../base/errors.js';
import {
  type Account,
  accountIdOf,
  type ListedAccount,
  listAccounts,
  removeAccount,
  soundAccount,
  switchAccount,
} from './accounts.js';
import { createKey, listKeys, revokeKey, type StoredKey } from './api-keys.js';
import { readEmailAddress } from './email-address.js';
import { lastUse } from './key-uses.js';
import { dropTickets } from './tickets.js';

/** What a change of an account concerned. */
export interface Governed {
  /** Whether anything changed; false if the account was like this already. */
  readonly isChanged: boolean;
  /** How many keys it has or had. */
  readonly keys: number;
  /** How many sessions were ended. */
  readonly sessions: number;
}

/**
 * Finds the account that an operator names.
 *
 * @param named Its id, or its e-mail address.
 * @throws {UsageError} If there is none; the message does not repeat an address.
 */
export async function namedAccount(folder: string, named: string): Promise<ListedAccount> {
  const email = readEmailAddress(named);
  const id = email === undefined ? named : accountIdOf(email);
  const account = (await listAccounts(folder)).find((each) => each.id === id);
  if (account) return account;
  const which = email === undefined ? (/^[0-9a-f]{32}$/.test(id) ? ` ${id}` : ' of this name') : ' of this address';
  throw new UsageError(`No account${which} in ${folder}: "oddslab accounts list" prints their ids and addresses.`);
}

/**
 * Disables an account: from now on every process refuses its keys, its sessions and sign-in links are gone, and it gets
 * no new ones.
 */
export async function disableAccount(folder: string, { id }: ListedAccount): Promise<Governed> {
  const isChanged = await switchAccount(folder, id, true);
  // Also where it was disabled before, as that may have been cut off.
  const sessions = await endSessions(folder, id);
  return { isChanged, keys: (await keysOf(folder, id)).length, sessions };
}

/** Enables an account again: its keys are accepted, and it can sign in. */
export async function enableAccount(folder: string, { id }: ListedAccount): Promise<Governed> {
  const isChanged = await switchAccount(folder, id, false);
  return { isChanged, keys: (await keysOf(folder, id)).length, sessions: 0 };
}

/**
 * Deletes an account: revokes its keys and removes all files about it. If it is cut off, the account is disabled, and
 * can be deleted again.
 */
export async function deleteAccount(folder: string, { id }: ListedAccount): Promise<Governed> {
  // First, so that nobody makes a key meanwhile.
  await switchAccount(folder, id, true);
  const keys = await keysOf(folder, id);
  for (const key of keys) await revokeKey(folder, key.id);
  const sessions = await endSessions(folder, id);
  await removeAccount(folder, id);
  return { isChanged: true, keys: keys.length, sessions };
}

/**
 * Makes a key for an account.
 *
 * @returns The key; undefined if the account was disabled or deleted meanwhile.
 */
export async function createOwnKey(
  folder: string,
  name: string,
  { id }: Account,
): Promise<{ key: string; stored: StoredKey } | undefined> {
  const made = await createKey(folder, name, { owner: id });
  if (await soundAccount(folder, id)) return made;
  await revokeKey(folder, made.stored.id);
  return undefined;
}

async function endSessions(folder: string, id: string): Promise<number> {
  await dropTickets(folder, 'links', (email) => accountIdOf(email) === id);
  return dropTickets(folder, 'sessions', (holder) => holder === id);
}

async function keysOf(folder: string, id: string) {
  return (await listKeys(folder)).filter(({ owner }) => owner === id);
}

/** The later of the last uses of some keys, as ISO 8601 text; undefined if none was used. */
export async function latestUse(folder: string, ids: readonly string[]): Promise<string | undefined> {
  const uses = await Promise.all(ids.map((id) => lastUse(folder, id)));
  return uses
    .filter((use) => use !== undefined)
    .sort()
    .at(-1);
}
