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
  const keys = program.command('keys');
  keys
    .command('create')
    .addOption(dataOption())
    .option('--name <name>', 'what the key is for', 'unnamed')
    .action(async ({ data, name: given }: { data: string; name: string }) => {
      const { createKey, keyNameError, revokeKey } = await import('../service/accounts/api-keys.js');
      const name = given.trim();
      const error = keyNameError(name);
      if (error !== undefined) throw new UsageError(`--name is not right: ${error}`);
      // A mistyped folder must not be created with a key in it that no service accepts.
      await requireFolder(data);
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
    .addOption(dataOption())
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
    .argument('<id>', 'the id that "keys list" prints')
    .addOption(dataOption())
    .action(async (id: string, { data }: { data: string }) => {
      await requireFolder(data);
      const { revokeKey } = await import('../service/accounts/api-keys.js');
      await revokeKey(data, id);
      process.stderr.write(`Key ${id} is revoked.\n`);
    });
}
