import { type Command, Option } from 'commander';
import { UsageError } from '../base/errors.js';
import { counted } from '../base/texts.js';
import { requireFolder } from '../service/folder/folder-layout.js';
import { dataOption } from './data-folder.js';
import { Status } from './status.js';
import { wholeNumber } from './whole-number.js';

interface Flags {
  data: string;
  clickhouse?: string;
  keep?: number;
}

/** Adds `oddslab data push`, which loads the current version into a ClickHouse cluster. */
export function addDataPushCommand(data: Command): void {
  data
    .command('push')
    .summary('load the current version into a ClickHouse cluster')
    .description(
      'Load the current version into a ClickHouse cluster and publish it there. Services that run with --engine ' +
        'clickhouse switch to it within a second, and no request fails. Wallets are spread over the shards; every ' +
        'shard has all markets. Before it is published, rows and checksums are compared with what was sent. If a ' +
        'push is interrupted, the version before it stays in service: run the push again. Only one push can run at a ' +
        'time. Prints the version.\n' +
        'User and password are taken from ODDSLAB_CLICKHOUSE_USER and ODDSLAB_CLICKHOUSE_PASSWORD.',
    )
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
    .addHelpText(
      'after',
      '\nExample:\n  $ oddslab data push --data data --clickhouse http://10.0.0.1:8123,http://10.0.0.2:8123',
    )
    .action(push);
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
