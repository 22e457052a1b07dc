import { createHash } from 'node:crypto';
import type { KnownNames } from '../../bench/soak-requests.js';
import { connect } from '../../src/client/connect.js';

/** What a client that asks page by page got. */
export interface PagedResult {
  readonly query: string;
  /** A digest of all records; undefined if the query failed. */
  readonly digest: string | undefined;
  readonly records: number;
  /** The message if it failed. */
  readonly error?: string;
  /** Whether the client said that the data changed between two pages, or between two wallets. */
  readonly isToldChanged: boolean;
}

/** A shard may be away for longer than a client waits by default. */
const RETRIES = 100;

/**
 * Asks a service for whole answers, page by page: of each dataset in turn, for one wallet, market or token after the
 * other.
 *
 * @param rounds How often each dataset is asked. @returns The results, as they come.
 */
export async function* pagedResults(
  service: { readonly url: string; readonly key?: string | undefined },
  { wallets, markets, tokens }: KnownNames,
  rounds: number,
  pageSize: number,
): AsyncGenerator<PagedResult> {
  const warnings: string[] = [];
  const client = connect({
    baseUrl: service.url,
    apiKey: service.key,
    pageSize,
    retries: RETRIES,
    backOffMs: 50,
    progress: false,
    onWarning: (text) => warnings.push(text),
  });
  for (let n = 0; n < rounds; n++) {
    const [wallet, other] = [wallets[n % wallets.length] ?? '', wallets[(n + 1) % wallets.length] ?? ''];
    const [conditionId, tokenId] = [markets[n % markets.length] ?? '', tokens[n % tokens.length] ?? ''];
    const queries = {
      [`trades of ${wallet}`]: client.trades({ wallet }),
      [`trades in ${conditionId}`]: client.trades({ conditionId }),
      [`pnl of ${wallet} and ${other}`]: client.pnl({ wallet: [wallet, other] }),
      [`pnl of ${wallet} by market`]: client.pnl({ wallet, by: 'market', granularity: 'all' }),
      [`positions of ${wallet} and ${other}`]: client.positions({ wallet: [wallet, other] }),
      [`candles of ${tokenId}`]: client.candles({ tokenId, interval: '1h' }),
      leaderboard: client.leaderboard({ sortBy: 'volume' }),
      markets: client.markets(),
    };
    for (const [query, asked] of Object.entries(queries)) {
      warnings.length = 0;
      const read = await textOf(asked.records()).catch((error: Error) => error);
      const isToldChanged = warnings.some((text) => text.includes('data version'));
      if (read instanceof Error) {
        yield { query, digest: undefined, records: 0, error: read.message, isToldChanged };
      } else {
        const digest = createHash('sha1').update(read.text).digest('base64');
        yield { query, digest, records: read.records, isToldChanged };
      }
    }
  }
  await client.close();
}

async function textOf(records: AsyncIterable<unknown>): Promise<{ text: string; records: number }> {
  const lines: string[] = [];
  for await (const record of records) lines.push(JSON.stringify(record));
  return { text: lines.join('\n'), records: lines.length };
}
