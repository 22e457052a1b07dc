import type { Command } from 'commander';
import type { PageSource } from '../client/paging/page-source.js';
import type { KeyHider } from '../client/transport/hide-key.js';
import { DEFAULT_LIMIT, QUERY_PATH } from '../contract/envelope.js';
import { interruptible } from './interruptible.js';
import { Status } from './status.js';

/** Options of `oddslab snapshot refresh`. */
interface RefreshFlags {
  readonly format: 'text' | 'json';
  readonly examples: number;
  readonly out?: string;
  readonly url?: string;
  readonly data: string;
}

/** How many requests are under way at once. */
const CONCURRENCY = 4;

/** Runs `oddslab snapshot refresh DIR`: asks every query again, prints what changed, and stores the new answers. */
export async function runSnapshotRefresh(folder: string, flags: RefreshFlags, command: Command): Promise<void> {
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
  const diff = await interruptible((signal) =>
    withService(flags, command, (source, hide) =>
      refreshSnapshot(folder, source, { out, examples, onProgress, signal, hide }),
    ),
  ).finally(() => status.clear());
  process.stdout.write(format === 'json' ? `${JSON.stringify(diff, undefined, 2)}\n` : diffText(diff));
}

/** Does work with the pages of the service to ask; the command line takes precedence over the environment. */
async function withService<T>(
  { url, data }: RefreshFlags,
  command: Command,
  work: (source: PageSource, hide: KeyHider) => Promise<T>,
): Promise<T> {
  const [{ openLab }, { openTransport }, { servicePages }, { hideKey }] = await Promise.all([
    import('../lab.js'),
    import('../client/transport/transport.js'),
    import('../client/paging/pages.js'),
    import('../client/transport/hide-key.js'),
  ]);
  const isGiven = (option: string) => command.getOptionValueSource(option) === 'cli';
  const where = isGiven('data') ? (isGiven('url') && url ? { url, data } : { data }) : url ? { url } : { data };
  // A service that is started here is open, so the key belongs to another one.
  const apiKey = ('url' in where && process.env.ODDSLAB_API_KEY) || undefined;
  const lab = await openLab({ ...where, mode: 'live' });
  const address = lab.baseUrl + QUERY_PATH;
  const warn = (text: string) => process.emitWarning(text, 'OddslabWarning');
  const transport = openTransport(address, { ...(apiKey === undefined ? {} : { apiKey }), onWarning: warn });
  const hide = hideKey(apiKey);
  try {
    const paging = { pageSize: DEFAULT_LIMIT, concurrency: CONCURRENCY };
    return await work(
      servicePages(transport, { service: lab.baseUrl, url: address, ...paging, hide: hide.text, warn }),
      hide,
    );
  } finally {
    await transport.close();
    await lab.close();
  }
}
