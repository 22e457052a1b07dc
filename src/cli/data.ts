import { type Command, Option } from 'commander';
import { DataError, UsageError } from '../base/errors.js';
import { counted, fieldOf } from '../base/texts.js';
import { type Completeness, FIGURES, type Figure } from '../contract/completeness.js';
import { requireFolder } from '../service/folder/folder-layout.js';
import type { VersionSummary } from '../service/folder/list-versions.js';
import { dataOption, wholeNumber } from './command-options.js';
import { type RowCell, rowsText, Status } from './terminal-output.js';

interface Flags {
  data: string;
  json?: boolean;
  csv?: boolean;
  clickhouse?: string;
  keep?: number;
}

/** Adds `oddslab data`, which lists, verifies and switches the versions of a data folder. */
export function addDataCommand(program: Command): void {
  const data = program.command('data');
  data
    .command('list')
    .addOption(dataOption())
    .option('--json', 'print a JSON list, with the problem of each damaged version')
    .action(list);
  data.command('verify').argument('[version]', 'check only this version').addOption(dataOption()).action(verify);
  data
    .command('rollback')
    .argument('[version]', 'the version to switch to, as "data list" prints it')
    .addOption(dataOption())
    .action(rollback);
  data
    .command('untracked')
    .addOption(dataOption())
    .option('--csv', 'print CSV with a header, for readCsv and the untracked option of trackRecord')
    .action(untracked);
  data
    .command('push')
    .addOption(dataOption())
    .addOption(
      new Option(
        '--clickhouse <urls>',
        'address of each shard, separated by commas, always in the same order; the path names the database',
      ).env('ODDSLAB_CLICKHOUSE'),
    )
    .option(
      '--keep <n>',
      'how many published versions to keep (default: 3); the last two are always kept',
      wholeNumber('--keep', 1, 1000),
    )
    .action(push);
}

async function list({ data, json }: Flags): Promise<void> {
  await requireFolder(data);
  const { listVersions } = await import('../service/folder/list-versions.js');
  const versions = await listVersions(data);
  if (json) process.stdout.write(`${JSON.stringify(versions, null, 2)}\n`);
  else process.stdout.write(rowsText(VERSION_HEADS, versions.map(rowOf), process.stdout.isTTY));
}

const VERSION_HEADS = ['VERSION', 'MADE', 'INPUTS', 'ROWS', 'BYTES', 'STATE', 'BUILT ON'];

function rowOf({ name, current, rejected, base, created, inputs, rows, bytes, problem }: VersionSummary): RowCell[] {
  const states = { current, rejected, damaged: problem !== null };
  const state = Object.entries(states).flatMap(([word, holds]) => (holds ? [word] : []));
  return [name, created, inputs, rows, bytes, state.join(', '), base];
}

async function verify(only: string | undefined, { data }: Flags): Promise<void> {
  await requireFolder(data);
  const { listVersions } = await import('../service/folder/list-versions.js');
  const { verifyVersion } = await import('../service/folder/roll-back.js');
  const versions = await listVersions(data);
  const chosen = versions.filter(({ name }) => only === undefined || name === only);
  if (only !== undefined && chosen.length === 0) {
    throw new UsageError(
      `There is no version ${only} in ${data}; it has ${versions.map(nameOf).join(', ') || 'none'}.`,
    );
  }
  const status = new Status();
  const damaged: VersionSummary[] = [];
  for (const version of chosen) {
    status.show(`reading version ${version.name}`);
    const damages = await verifyVersion(data, version.name);
    status.clear();
    if (damages.length > 0) damaged.push(version);
    else process.stdout.write(`${version.name}\tok\n`);
    for (const { file, problem } of damages) process.stdout.write(`${version.name}\t${file}\t${problem}\n`);
  }
  const isLost = versions.length > 0 && !versions.some(({ current }) => current);
  if (damaged.length === 0 && !isLost) return;
  const which = damaged.length > 0 ? [damagedText(data, damaged)] : [];
  throw new DataError([...which, await remedyFor(data, versions, chosen, damaged)].join(' '));
}

const nameOf = ({ name }: VersionSummary) => name;

function damagedText(data: string, damaged: readonly VersionSummary[]): string {
  const isOne = damaged.length === 1;
  return `Version${isOne ? '' : 's'} ${damaged.map(nameOf).join(', ')} of ${data} ${isOne ? 'is' : 'are'} damaged.`;
}

async function remedyFor(
  data: string,
  versions: readonly VersionSummary[],
  chosen: readonly VersionSummary[],
  damaged: readonly VersionSummary[],
): Promise<string> {
  const { currentLost } = await import('../service/folder/sealed-version.js');
  const { wayBack } = await import('../service/folder/list-versions.js');
  const current = versions.find((version) => version.current);
  if (!current) return currentLost(data).message;
  if (!damaged.includes(current)) {
    const state = chosen.includes(current) ? 'is whole' : 'was not read';
    return `The current one ${state}; the next ingests replace the older ones.`;
  }
  const anew = 'No other one is whole: ingest its inputs again into a new folder.';
  return `The current one is. ${wayBack(data, versions, damaged.map(nameOf)) ?? anew}`;
}

async function rollback(to: string | undefined, { data }: Flags): Promise<void> {
  await requireFolder(data);
  const { rollBack } = await import('../service/folder/roll-back.js');
  const { was, is, passed } = await rollBack(data, to);
  for (const name of passed) process.stderr.write(`Version ${name} is damaged and was passed over.\n`);
  const before = was === undefined ? 'none was before' : `it was ${was}`;
  process.stderr.write(is === was ? `Version ${is} is current already.\n` : `Version ${is} is current; ${before}.\n`);
  process.stdout.write(`${is}\n`);
}

async function push({ data, clickhouse, keep }: Flags): Promise<void> {
  if (!clickhouse) throw new UsageError('Name the shards: --clickhouse http://10.0.0.1:8123, commas between several.');
  await requireFolder(data);
  const [{ readShardUrls }, { Cluster }, { pushVersion }] = await Promise.all([
    import('../service/clickhouse/clickhouse-connection.js'),
    import('../service/clickhouse/shard.js'),
    import('../service/cluster/push-version.js'),
  ]);
  const { ODDSLAB_CLICKHOUSE_USER: user, ODDSLAB_CLICKHOUSE_PASSWORD: password } = process.env;
  const cluster = new Cluster(readShardUrls(clickhouse), { user: user || undefined, password });
  const status = new Status();
  try {
    const pushed = await pushVersion(data, cluster, { keep, onProgress: (doing) => status.show(doing) });
    status.clear();
    const { name } = pushed.version;
    process.stderr.write(
      pushed.loaded.length > 0
        ? `Loaded ${counted(pushed.rows, 'row')} of version ${name} into ${pushed.loaded.length} of ${cluster.shards.length} shards.\n`
        : `Version ${name} is on every shard already.\n`,
    );
    process.stderr.write(pushed.isNew ? `It is published now.\n` : 'It was published before.\n');
    for (const id of pushed.removed) process.stderr.write(`Removed the older version ${id}.\n`);
    process.stdout.write(`${name}\n`);
  } finally {
    status.clear();
    cluster.close();
  }
}

/** The figures of a record that CSV has a column for: all but lists. */
const CSV_FIGURES = Object.entries<Figure>(FIGURES).flatMap(([name, { kind }]) => (kind === 'parts' ? [] : [name]));

async function untracked({ data, csv }: Flags): Promise<void> {
  await requireFolder(data);
  const { incompleteRecords } = await import('../service/store/incomplete-records.js');
  const wallets = await incompleteRecords(data);
  if (!csv) {
    const rows = wallets.map(({ wallet, record, faults }) => [wallet, record.untracked_shares ?? 0, faults.join('; ')]);
    process.stdout.write(rowsText(['WALLET', 'SHARES', 'WHAT IS MISSING'], rows, process.stdout.isTTY));
    if (rows.length === 0) process.stderr.write(`Nothing is known to be missing of any wallet in ${data}.\n`);
    return;
  }
  const cellOf = (record: Completeness, name: string) => {
    const value = fieldOf(record, name);
    return value === undefined && isCounted(name) ? 0 : (value ?? '');
  };
  const rows = wallets.map(({ wallet, record }) => [wallet, ...CSV_FIGURES.map((name) => cellOf(record, name))]);
  // Neither wallets, nor numbers, nor times need quotes in CSV.
  process.stdout.write([['proxy_wallet', ...CSV_FIGURES], ...rows].map((row) => `${row.join(',')}\n`).join(''));
}

/** Whether a figure that is left out of a record is 0. */
function isCounted(name: string): boolean {
  const { kind, beside } = (FIGURES as Readonly<Record<string, Figure>>)[name] ?? {};
  return (kind === 'count' || kind === 'micros') && beside === undefined;
}
