import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { DataError, UsageError } from '../base/errors.js';
import { shellWord } from '../base/texts.js';
import { writeFailure } from '../base/whole-file.js';
import { requireFolder } from '../service/folder/folder-layout.js';
import { dataOption } from './command-options.js';
import { rowsText } from './terminal-output.js';

/** Adds `oddslab keys`, which makes, lists and revokes the API keys of a data folder's service. */
export function addKeysCommand(program: Command): void {
  const keys = program
    .command('keys')
    .summary('make, list and revoke API keys of a data folder')
    .description(
      'Make, list and revoke the API keys of a data folder. A running service accepts a new key at once, and it ' +
        'accepts only these keys.',
    );
  keys
    .command('create')
    .summary('make a key and print it')
    .description('Make a key and print it. It is shown only this once, because the folder keeps only its hash.')
    .addOption(dataOption())
    .option('--name <name>', 'what the key is for', 'unnamed')
    .addHelpText('after', '\nExample:\n  $ export ODDSLAB_API_KEY=$(oddslab keys create --data data --name laptop)')
    .action(async ({ data, name: given }: { data: string; name: string }) => {
      const { keyNameError } = await import('../service/accounts/api-keys.js');
      const name = given.trim();
      const error = keyNameError(name);
      if (error !== undefined) throw new UsageError(`--name is not right: ${error}`);
      // A mistyped folder must not be created with a key in it that no service accepts.
      await requireFolder(data);
      const { createKey, revokeKey } = await import('../service/accounts/api-keys.js');
      const { key, stored } = await createKey(data, name);
      try {
        writeFileSync(1, `${key}\n`);
      } catch (cause) {
        await revokeKey(data, stored.id);
        throw new DataError(`Cannot write the key to stdout: ${writeFailure(cause)}. No key was made.`, { cause });
      }
      process.stderr.write(`Key ${stored.id} (${name}): keep it now, it is not shown again.\n`);
    });
  keys
    .command('list')
    .summary('print each key: id, day and name')
    .description(
      'Print id, day of creation and name of each key: on a terminal as a table with a header, elsewhere ' +
        'tab-separated without a header.',
    )
    .addOption(dataOption())
    .addHelpText('after', '\nExample:\n  $ oddslab keys list --data data | grep laptop | cut -f 1')
    .action(async ({ data }: { data: string }) => {
      await requireFolder(data);
      const { listKeys } = await import('../service/accounts/api-keys.js');
      const rows = (await listKeys(data)).map(({ id, created, name }) => [id, created.slice(0, 10), name]);
      process.stdout.write(rowsText(['ID', 'CREATED', 'NAME'], rows, process.stdout.isTTY));
      if (rows.length === 0)
        process.stderr.write(`No keys yet: make one with "oddslab keys create --data ${shellWord(data)}".\n`);
    });
  keys
    .command('revoke')
    .summary('revoke a key')
    .description('Revoke a key. Running services refuse it from then on, too.')
    .argument('<id>', 'the id that "keys list" prints')
    .addOption(dataOption())
    .addHelpText('after', '\nExample:\n  $ oddslab keys revoke 3f9c2a --data data')
    .action(async (id: string, { data }: { data: string }) => {
      await requireFolder(data);
      const { revokeKey } = await import('../service/accounts/api-keys.js');
      await revokeKey(data, id);
      process.stderr.write(`Key ${id} is revoked.\n`);
    });
}
