import type { Command } from 'commander';
import { counted } from '../base/texts.js';
import type { ListedAccount } from '../service/accounts/accounts.js';
import type { AuditEvent } from '../service/accounts/audit.js';
import type { Governed } from '../service/accounts/govern-accounts.js';
import { requireFolder } from '../service/folder/folder-layout.js';
import { dataOption } from './command-options.js';
import { minuteOf } from './keys.js';
import { rowsText } from './terminal-output.js';

interface Flags {
  data: string;
  json?: boolean;
}

/** Adds `oddslab accounts`, which lists, disables, enables and deletes the accounts of a data folder's dashboard. */
export function addAccountsCommand(program: Command): void {
  const accounts = program.command('accounts');
  accounts.command('list').addOption(dataOption()).option('--json', 'print a JSON list').action(list);
  for (const name of ['disable', 'enable', 'delete'] as const) {
    accounts
      .command(name)
      .argument('<account>', 'its id, or its e-mail address')
      .addOption(dataOption())
      .action((named: string, { data }: Flags) => govern(name, named, data));
  }
}

async function list({ data, json }: Flags): Promise<void> {
  await requireFolder(data);
  const [{ listAccounts }, { listKeys }, { latestUse }] = await Promise.all([
    import('../service/accounts/accounts.js'),
    import('../service/accounts/api-keys.js'),
    import('../service/accounts/govern-accounts.js'),
  ]);
  const owned = new Map<string | undefined, string[]>();
  for (const { id, owner } of await listKeys(data)) {
    const ids = owned.get(owner);
    if (ids) ids.push(id);
    else owned.set(owner, [id]);
  }
  const listed = [];
  for (const { id, email, created, isDisabled } of await listAccounts(data)) {
    const ids = owned.get(id) ?? [];
    const used = (await latestUse(data, ids)) ?? null;
    const state = `${isDisabled ? 'disabled' : 'enabled'}${email === undefined ? ', damaged' : ''}`;
    listed.push({ id, email: email ?? null, created: created ?? null, state, keys: ids.length, used });
  }
  if (json) return void process.stdout.write(`${JSON.stringify(listed, null, 2)}\n`);
  const rows = listed.map((each) => [
    each.id,
    each.created?.slice(0, 10) ?? '-',
    each.state,
    each.keys,
    minuteOf(each.used),
    each.email ?? '-',
  ]);
  const heads = ['ID', 'CREATED', 'STATE', 'KEYS', 'LAST USED', 'E-MAIL'];
  process.stdout.write(rowsText(heads, rows, process.stdout.isTTY));
  if (rows.length === 0) process.stderr.write('No accounts yet: people make them by signing in to the dashboard.\n');
}

async function govern(how: 'disable' | 'enable' | 'delete', named: string, data: string): Promise<void> {
  await requireFolder(data);
  const governing = await import('../service/accounts/govern-accounts.js');
  const { leaveEvent } = await import('../service/accounts/audit.js');
  const { disableAccount, enableAccount, deleteAccount, namedAccount } = governing;
  const account = await namedAccount(data, named);
  const act = { disable: disableAccount, enable: enableAccount, delete: deleteAccount }[how];
  const done = await act(data, account);
  process.stderr.write(`${toldOf(how, account, done)}\n`);
  if (!done.isChanged) return;
  const event: AuditEvent = `account ${how}d`;
  await leaveEvent(data, event, { account: account.id, keys: done.keys, sessions: done.sessions });
}

/** What was done, in a sentence. */
function toldOf(how: 'disable' | 'enable' | 'delete', { id }: ListedAccount, done: Governed): string {
  if (!done.isChanged) return `Account ${id} is ${how}d already.`;
  const keys = counted(done.keys, 'key');
  const isOne = done.keys === 1;
  const ended = `${counted(done.sessions, 'session')} ended`;
  if (how === 'delete') return `Account ${id} is deleted: ${keys} revoked, ${ended}.`;
  if (how === 'enable') return `Account ${id} is enabled: ${keys} ${isOne ? 'is' : 'are'} accepted again.`;
  return `Account ${id} is disabled: ${keys} ${isOne ? 'is' : 'are'} refused, ${ended}.`;
}
