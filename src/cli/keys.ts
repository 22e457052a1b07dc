import type { Command } from 'commander';
import { requireFolder } from '../service/folder/require-folder.js';
import { dataOption } from './data-folder.js';

/** Adds `oddslab keys`, which makes, lists and revokes the API keys of a data folder's service. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('make, list and revoke API keys of a data folder');
  keys
    .command('create')
    .description('make a key and print it alone; it is shown this once, and only its hash is kept')
    .addOption(dataOption())
    .option('--name <name>', 'what the key is for', 'unnamed')
    .addHelpText('after', '\nExample:\n  $ export ODDSLAB_API_KEY=$(oddslab keys create --data data --name laptop)')
    .action(async ({ data, name }: { data: string; name: string }) => {
      // A mistyped folder must not become one, with a key in it that no service takes.
      await requireFolder(data);
      const { createKey } = await import('../service/auth/keys.js');
      const { key, stored } = await createKey(data, name);
      process.stderr.write(`Key ${stored.id} (${name}): keep it now, it is not shown again.\n`);
      process.stdout.write(`${key}\n`);
    });
  keys
    .command('list')
    .description('print id, day of creation and name of each key, tabs between')
    .addOption(dataOption())
    .action(async ({ data }: { data: string }) => {
      await requireFolder(data);
      const { listKeys } = await import('../service/auth/keys.js');
      for (const { id, created, name } of await listKeys(data)) {
        process.stdout.write(`${id}\t${created.slice(0, 10)}\t${name}\n`);
      }
    });
  keys
    .command('revoke')
    .description('refuse a key from now on, also in a service that runs')
    .argument('<id>', 'the id that "keys list" prints')
    .addOption(dataOption())
    .action(async (id: string, { data }: { data: string }) => {
      await requireFolder(data);
      const { revokeKey } = await import('../service/auth/keys.js');
      await revokeKey(data, id);
      process.stderr.write(`Key ${id} is revoked.\n`);
    });
}
