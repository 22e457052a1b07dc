import { type Command, Option } from 'commander';
import type { SnapshotDiff } from '../client/snapshot/diff-snapshots.js';
import { DataError } from '../errors.js';
import { dataOption } from './data-folder.js';
import { runSnapshotRefresh } from './snapshot-refresh.js';
import { wholeNumber } from './whole-number.js';

interface Flags {
  readonly format: 'text' | 'json';
  readonly examples: number;
}

/** Adds `oddslab snapshot` with its commands: list, verify, diff and refresh. */
export function addSnapshotCommand(program: Command): void {
  const snapshot = program
    .command('snapshot')
    .summary('check, compare and renew recorded answers')
    .description(ABOUT)
    .addHelpText('after', EXAMPLES);
  snapshot
    .command('list')
    .summary('print what a snapshot holds')
    .description('Print the queries of a snapshot: records, size, time, and how their SHA-256 begins.')
    .argument('<dir>', 'snapshot folder')
    .addOption(formatOption())
    .action(list);
  snapshot
    .command('verify')
    .summary('check that a snapshot is whole')
    .description(
      'Check that a snapshot is whole: that its manifest can be read, that each answer\n' +
        'is there and unpacks to the bytes, SHA-256 and records that the manifest says,\n' +
        'and that no other files lie about. Exit code 1 if not.',
    )
    .argument('<dir>', 'snapshot folder')
    .addOption(formatOption())
    .action(verify);
  snapshot
    .command('diff')
    .summary('show what differs between two snapshots')
    .description(
      'Show which queries came (+), went (-) or have another answer (~), and of those\n' +
        'which records and numbers differ. Exit code 0 if none does, 1 if any does.',
    )
    .argument('<before>', 'snapshot folder')
    .argument('<after>', 'snapshot folder')
    .addOption(formatOption())
    .addOption(examplesOption())
    .action(diff);
  snapshot
    .command('refresh')
    .summary('ask every query of a snapshot again')
    .description(
      'Ask every query of a snapshot again and show what changed. The new state takes\n' +
        'the place of the old one, or goes to --out; if a query fails, all stays as it\n' +
        'was. Without --url, a service over the data folder is started for the time. The\n' +
        'API key is taken from ODDSLAB_API_KEY, never from the command line.',
    )
    .argument('<dir>', 'snapshot folder')
    .option('--out <dir>', 'write the new state here, to a folder that is new or empty')
    .addOption(new Option('--url <address>', 'query service to ask').env('ODDSLAB_URL'))
    .addOption(dataOption())
    .addOption(formatOption())
    .addOption(examplesOption())
    .action(runSnapshotRefresh);
}

const ABOUT =
  'A snapshot is a folder that holds queries and their answers, so that a\n' +
  'notebook gives the same results again, without a service. It is recorded by\n' +
  'running the notebook with one: connect({ snapshot }) in it, or ODDSLAB_SNAPSHOT\n' +
  'in the environment. ODDSLAB_SNAPSHOT_MODE says how:\n' +
  '  auto     answer from the snapshot; ask the service for the rest, record it\n' +
  '  record   ask for everything and record it anew\n' +
  '  replay   answer from the snapshot alone: no network\n' +
  '  live     leave the snapshot aside\n' +
  'Without it, auto is meant.';

const EXAMPLES = `
Examples:
  $ ODDSLAB_SNAPSHOT=snapshots/2026-11 oddslab run study.ipynb     # records what it asks
  $ ODDSLAB_SNAPSHOT=snapshots/2026-11 ODDSLAB_SNAPSHOT_MODE=replay oddslab run study.ipynb
  $ oddslab snapshot verify snapshots/2026-11
  $ oddslab snapshot refresh snapshots/2026-11 --out snapshots/2026-12
  $ oddslab snapshot diff snapshots/2026-11 snapshots/2026-12`;

function formatOption(): Option {
  return new Option('--format <format>', 'form of the output').choices(['text', 'json']).default('text');
}

function examplesOption(): Option {
  return new Option('--examples <n>', 'records of each kind to show of an answer')
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
  const { counted } = await import('./snapshot-text.js');
  const check = await verifySnapshot(folder);
  const { queries, answers, records, faults } = check;
  if (format === 'json') process.stdout.write(`${JSON.stringify(check, undefined, 2)}\n`);
  else if (faults.length > 0) process.stdout.write(faults.map((fault) => `${fault}\n`).join(''));
  if (faults.length > 0)
    throw new DataError(`The snapshot ${folder} is not whole: ${counted(faults.length, 'fault')}.`);
  if (format === 'json') return;
  const held = [counted(queries, 'query'), counted(answers, 'answer file'), counted(records, 'record')];
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
