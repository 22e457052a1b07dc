import { type Command, Option } from 'commander';
import { DataError } from '../base/errors.js';
import { counted } from '../base/texts.js';
import type { SnapshotDiff } from '../client/snapshot/diff-snapshots.js';
import { DEFAULT_LIMIT } from '../contract/envelope.js';
import { dataOption, placeToAsk, wholeNumber } from './command-options.js';
import { interruptible } from './exit-code.js';
import { Status } from './terminal-output.js';

interface Flags {
  readonly format: 'text' | 'json';
  readonly examples: number;
}

/** Adds `oddslab snapshot` with its commands: list, verify, diff and refresh. */
export function addSnapshotCommand(program: Command): void {
  const snapshot = program.command('snapshot');
  snapshot.command('list').argument('<dir>', 'snapshot folder').addOption(formatOption()).action(list);
  snapshot.command('verify').argument('<dir>', 'snapshot folder').addOption(formatOption()).action(verify);
  snapshot
    .command('diff')
    .argument('<before>', 'snapshot folder')
    .argument('<after>', 'snapshot folder')
    .addOption(formatOption())
    .addOption(examplesOption())
    .action(diff);
  snapshot
    .command('refresh')
    .argument('<dir>', 'snapshot folder')
    .option('--out <dir>', 'write the new answers to this folder, which must be new or empty')
    .addOption(new Option('--url <address>', 'query service to ask').env('ODDSLAB_URL'))
    .addOption(dataOption())
    .addOption(formatOption())
    .addOption(examplesOption())
    .action(runSnapshotRefresh);
}

function formatOption(): Option {
  return new Option('--format <format>', 'format of the output').choices(['text', 'json']).default('text');
}

function examplesOption(): Option {
  return new Option('--examples <n>', 'how many records of each kind to show for an answer')
    .default(3)
    .argParser(wholeNumber('--examples', 0, 1000));
}

async function list(folder: string, { format }: Flags): Promise<void> {
  const { manifestOf } = await import('../client/snapshot/diff-snapshots.js');
  const { listText } = await import('./snapshot-text.js');
  const entries = [...(await manifestOf(folder)).values()];
  process.stdout.write(format === 'json' ? `${JSON.stringify(entries, undefined, 2)}\n` : listText(entries));
}

async function verify(folder: string, { format }: Flags): Promise<void> {
  const { verifySnapshot } = await import('../client/snapshot/verify-snapshot.js');
  const check = await verifySnapshot(folder);
  const { queries, answers, records, faults } = check;
  if (format === 'json') process.stdout.write(`${JSON.stringify(check, undefined, 2)}\n`);
  else if (faults.length > 0) process.stdout.write(faults.map((fault) => `${fault}\n`).join(''));
  if (faults.length > 0) {
    throw new DataError(`The snapshot ${folder} is not whole: ${counted(faults.length, 'fault')}.`);
  }
  if (format === 'json') return;
  const held = [counted(queries, 'query', 'queries'), counted(answers, 'answer file'), counted(records, 'record')];
  process.stdout.write(`${folder} is whole: ${held.join(', ')}.\n`);
}

async function diff(before: string, after: string, { format, examples }: Flags): Promise<void> {
  const { diffSnapshots } = await import('../client/snapshot/diff-snapshots.js');
  const found: SnapshotDiff = await diffSnapshots(before, after, { examples });
  const { diffText } = await import('./snapshot-text.js');
  process.stdout.write(format === 'json' ? `${JSON.stringify(found, undefined, 2)}\n` : diffText(found));
  if (found.added.length + found.removed.length + found.changed.length > 0) {
    throw new DataError(`${before} and ${after} differ.`);
  }
}

/** Options of `oddslab snapshot refresh`. */
interface RefreshFlags extends Flags {
  readonly out?: string;
  readonly url?: string;
  readonly data: string;
}

/** Runs `oddslab snapshot refresh DIR`: asks every query again, prints what changed, and stores the new answers. */
async function runSnapshotRefresh(folder: string, flags: RefreshFlags, command: Command): Promise<void> {
  const [{ manifestOf }, { refreshSnapshot }, { diffText }] = await Promise.all([
    import('../client/snapshot/diff-snapshots.js'),
    import('../client/snapshot/refresh-snapshot.js'),
    import('./snapshot-text.js'),
  ]);
  // Fails before a service is started in vain.
  await manifestOf(folder);
  const status = new Status();
  const onProgress = (query: number, total: number) => status.show(`Asking query ${query} of ${total} …`);
  const { out, examples, format } = flags;
  const [{ openLab }, { connectionOf }] = await Promise.all([import('../lab.js'), import('../client/connect.js')]);
  const diff = await interruptible(async (signal) => {
    const lab = await openLab({ ...placeToAsk(flags, command), mode: 'live', pageSize: DEFAULT_LIMIT });
    try {
      const { source, hide } = connectionOf(lab);
      return await refreshSnapshot(folder, source, { out, examples, onProgress, signal, hide });
    } finally {
      await lab.close();
    }
  }).finally(() => status.clear());
  process.stdout.write(format === 'json' ? `${JSON.stringify(diff, undefined, 2)}\n` : diffText(diff));
}
