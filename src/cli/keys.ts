import { writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { DataError, UsageError } from '../base/errors.js';
import { shellWord } from '../base/texts.js';
import { writeFailure } from '../base/whole-file.js';
import type { Role } from '../service/accounts/api-keys.js';
import type { AuditDetails, AuditEvent } from '../service/accounts/audit.js';
import { requireFolder } from '../service/folder/folder-layout.js';
import { dataOption } from './command-options.js';
import { rowsText } from './terminal-output.js';

/** Adds `oddslab keys`, which makes, lists and revokes the API keys of a data folder's service. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys');
  keys
    .command('create')
    .addOption(dataOption())
    .option('--name <name>', 'what the key is for', 'unnamed')
    .addOption(
      new Option('--role <role>', 'who may use it: a reader asks for data, an operator reads /metrics, too')
        .choices(['reader', 'operator'] satisfies Role[])
        .default('reader'),
    )
    .action(async ({ data, name: given, role }: { data: string; name: string; role: Role }) => {
      const { createKey, keyNameError, revokeKey } = await import('../service/accounts/api-keys.js');
      const name = given.trim();
      const error = keyNameError(name);
      if (error !== undefined) throw new UsageError(`--name is not right: ${error}`);
      // A mistyped folder must not be created with a key in it that no service accepts.
      await requireFolder(data);
      const { key, stored } = await createKey(data, name, { role });
      try {
        writeFileSync(1, `${key}\n`);
      } catch (cause) {
        await revokeKey(data, stored.id);
        throw new DataError(`Cannot write the key to stdout: ${writeFailure(cause)}. No key was made.`, { cause });
      }
      process.stderr.write(`Key ${stored.id} (${name}): keep it now, it is not shown again.\n`);
      await leave(data, 'key created', { key: stored.id, role });
    });
  keys.command('list').addOption(dataOption()).option('--json', 'print a JSON list').action(list);
  keys
    .command('revoke')
    .argument('<id>', 'the id that "keys list" prints')
    .addOption(dataOption())
    .action(async (id: string, { data }: { data: string }) => {
      await requireFolder(data);
      const { revokeKey } = await import('../service/accounts/api-keys.js');
      await revokeKey(data, id);
      process.stderr.write(`Key ${id} is revoked.\n`);
      await leave(data, 'key revoked', { key: id });
    });
}

/** Leaves what was done for the log of the folder's service. */
async function leave(data: string, event: AuditEvent, details: AuditDetails): Promise<void> {
  const { leaveEvent } = await import('../service/accounts/audit.js');
  await leaveEvent(data, event, details);
}

async function list({ data, json }: { data: string; json?: boolean }): Promise<void> {
  await requireFolder(data);
  const [{ listKeys }, { lastUse }, { listAccounts }] = await Promise.all([
    import('../service/accounts/api-keys.js'),
    import('../service/accounts/key-uses.js'),
    import('../service/accounts/accounts.js'),
  ]);
  const keys = await listKeys(data);
  const emails = new Map((await listAccounts(data)).map(({ id, email }) => [id, email]));
  const listed = [];
  for (const { id, name, created, owner, role = 'reader' } of keys) {
    const used = (await lastUse(data, id)) ?? null;
    listed.push({ id, name, created, role, used, account: owner ?? null, owner: emails.get(owner ?? '') ?? null });
  }
  if (json) return void process.stdout.write(`${JSON.stringify(listed, null, 2)}\n`);
  const rows = listed.map(({ id, created, name, role, used, account, owner }) => {
    const why = emails.has(account ?? '') ? 'its file is damaged' : 'no such account';
    const whose = owner ?? (account === null ? null : `${account} (${why})`);
    return [id, created.slice(0, 10), name, role, minuteOf(used), whose];
  });
  process.stdout.write(rowsText(['ID', 'CREATED', 'NAME', 'ROLE', 'LAST USED', 'OWNER'], rows, process.stdout.isTTY));
  if (rows.length === 0)
    process.stderr.write(`No keys yet: make one with "oddslab keys create --data ${shellWord(data)}".\n`);
}

/**
 * A time to the minute, as uses are noted; null if there is none.
 *
 * @example minuteOf('2026-03-01T12:34:56.000Z'); // '2026-03-01 12:34'
 */
export function minuteOf(iso: string | null): string | null {
  return iso === null ? null : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;
}
