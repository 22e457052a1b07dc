import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DataError } from '../../base/errors.js';
import { syncFolder, systemErrorCode } from '../../base/whole-file.js';
import { folderError, ifThere } from '../folder/folder-layout.js';
import { privateFolder, writeOnce } from './private-files.js';

const accountFile = z.object({ id: z.string(), email: z.string(), created: z.string() });

/** Somebody who has signed in to the dashboard; their keys have the `id` as their `owner`. */
export type Account = z.output<typeof accountFile>;

/** An account, and whether an operator has disabled it. */
export interface ListedAccount {
  readonly id: string;
  /** Undefined, as `created`, if its file is damaged: then it can still be disabled and deleted. */
  readonly email: string | undefined;
  readonly created: string | undefined;
  readonly isDisabled: boolean;
}

/** The file of an account holds something else. */
class DamagedAccount extends DataError {
  override name = 'DamagedAccount';
}

/** The id of the account of an address: the beginning of the address's SHA-256. */
export function accountIdOf(email: string): string {
  return createHash('sha256').update(email).digest('hex').slice(0, 32);
}

/**
 * The file of an account, `accounts/ID.json` in the data folder. A disabled account's has another name, so that all who
 * look whether the file is there, at every request and in every process, refuse it from one moment to the next.
 */
export function accountPath(folder: string, id: string, isDisabled = false): string {
  return join(folder, 'accounts', `${id}${isDisabled ? '.disabled' : ''}.json`);
}

/**
 * Finds the account with this id, or undefined if there is none or it is disabled.
 *
 * @throws {DataError} If its file cannot be read, or is damaged.
 */
export function findAccount(folder: string, id: string): Promise<Account | undefined> {
  return readAccount(folder, id);
}

const warned = new Set<string>();

/** As {@link findAccount}, but one whose file is damaged counts as none, with one warning in each process. */
export async function soundAccount(folder: string, id: string): Promise<Account | undefined> {
  return findAccount(folder, id).catch((error: unknown) => {
    if (!(error instanceof DamagedAccount)) throw error;
    if (!warned.has(error.message)) process.emitWarning(`${error.message} Until then nobody is signed in by it.`);
    warned.add(error.message);
    return undefined;
  });
}

/** Why somebody may not sign in. */
export type SignInRefusal = 'account disabled' | 'account damaged' | 'sign-up closed';

/** Whether the holder of an address may sign in: the id of their account, if they have one, and what keeps them out. */
export interface Entry {
  readonly account?: string;
  readonly refused?: SignInRefusal;
}

/**
 * Finds out whether the holder of an address may sign in: with an account unless it is disabled, without one if they
 * may make it.
 *
 * @param mayJoin Whether they may make an account.
 * @throws {DataError} If the account's file cannot be read; one that is damaged lets nobody in.
 */
export async function entryOf(folder: string, email: string, mayJoin: boolean): Promise<Entry> {
  const id = accountIdOf(email);
  // In this order: an account that is disabled between the two looks is found by the second.
  try {
    if (await findAccount(folder, id)) return { account: id };
  } catch (error) {
    if (error instanceof DamagedAccount) return { account: id, refused: 'account damaged' };
    throw error;
  }
  const disabled = accountPath(folder, id, true);
  if (await ifThere(`the account file ${disabled}`, stat(disabled)))
    return { account: id, refused: 'account disabled' };
  return mayJoin ? {} : { refused: 'sign-up closed' };
}

/**
 * Finds the account of an address, or makes it.
 *
 * @param email An address as `readEmailAddress` gives it.
 * @param options.nowMs The time in milliseconds since 1970.
 * @param options.mayJoin Whether the account may be made. Default true.
 * @returns The account, and whether this call made it (of several calls at once, one does); or why there is none.
 * @throws {DataError} If the folder cannot be read or written.
 */
export async function openAccount(
  folder: string,
  email: string,
  { nowMs, mayJoin = true }: { nowMs: number; mayJoin?: boolean },
): Promise<{ account: Account; isNew: boolean } | { refused: SignInRefusal }> {
  const { account: id, refused } = await entryOf(folder, email, mayJoin);
  if (refused !== undefined) return { refused };
  const found = id === undefined ? undefined : await findAccount(folder, id);
  if (found) return { account: found, isNew: false };
  if (id !== undefined) return { refused: 'account disabled' };
  const made = { id: accountIdOf(email), email, created: new Date(nowMs).toISOString() };
  try {
    await privateFolder(join(folder, 'accounts'));
    const isNew = await writeOnce(accountPath(folder, made.id), `${JSON.stringify(made)}\n`);
    return { account: made, isNew };
  } catch (error) {
    throw folderError(folder, error);
  }
}

/**
 * Lists all accounts of a data folder, oldest first. One whose file cannot be read, or is damaged, is listed by its id,
 * with a warning.
 *
 * @throws {DataError} If the folder cannot be read.
 */
export async function listAccounts(folder: string): Promise<ListedAccount[]> {
  const names = (await ifThere(`the accounts of ${folder}`, readdir(join(folder, 'accounts')))) ?? [];
  const accounts: ListedAccount[] = [];
  for (const name of names) {
    const [, id, disabled] = /^([0-9a-f]{32})(\.disabled)?\.json$/.exec(name) ?? [];
    if (id === undefined) continue;
    const isDisabled = disabled !== undefined;
    const account = await readAccount(folder, id, isDisabled).catch((error: Error) => {
      process.emitWarning(error.message);
      return { id, email: undefined, created: undefined };
    });
    if (account) accounts.push({ ...account, isDisabled });
  }
  const orderOf = ({ created = '', id }: ListedAccount) => `${created} ${id}`;
  return accounts.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

/**
 * Disables an account, or enables it again, from one moment to the next.
 *
 * @returns Whether this changed it; false if there is no such account, or if it was so already.
 * @throws {DataError} If the folder cannot be written.
 */
export async function switchAccount(folder: string, id: string, isDisabled: boolean): Promise<boolean> {
  try {
    await rename(accountPath(folder, id, !isDisabled), accountPath(folder, id, isDisabled));
    await syncFolder(join(folder, 'accounts'));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw folderError(folder, error);
  }
}

/** Removes the file of a disabled account. @throws {DataError} If the folder cannot be written. */
export async function removeAccount(folder: string, id: string): Promise<void> {
  await rm(accountPath(folder, id, true), { force: true }).catch((error) => {
    throw folderError(folder, error);
  });
}

async function readAccount(folder: string, id: string, isDisabled = false): Promise<Account | undefined> {
  const path = accountPath(folder, id, isDisabled);
  try {
    const account = accountFile.parse(JSON.parse(await readFile(path, 'utf8')));
    // An account is disabled, and deleted, by its id.
    if (account.id !== id) throw new Error('The file has the name of another account.');
    return account;
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === 'ENOENT') return undefined;
    const what = `The account file ${path} cannot be read, or is damaged: restore it, or delete the account.`;
    throw code === undefined ? new DamagedAccount(what, { cause }) : new DataError(what, { cause });
  }
}
