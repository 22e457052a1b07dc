import type { ServerResponse } from 'node:http';
import { walletOf } from '../support/raw-records.js';
import { type Asked, faultServer, sendWith } from './fault-server.js';

/** The records of a paging server, and how it answers. */
export interface Paged {
  /** Number of records of each wallet, or of the dataset if the query names no wallet. */
  records: number | Readonly<Record<string, number>>;
  /** The most records per page, whatever was asked. */
  most?: number;
  /** Milliseconds until a page is sent, once it is counted among those in flight. */
  delay?: (asked: Asked) => number;
  /** Changes a page before it is sent. */
  change?: (page: PageSent, asked: Asked) => void;
}

/** An answer about to be sent. */
export interface PageSent {
  status: number;
  headers: Record<string, string>;
  pagination: Record<string, unknown>;
  /** How complete the wallets' records are. Default: it does not say. */
  completeness?: unknown;
  /** What a leaderboard covers, and names that the data lack. Default: it does not say. */
  window?: unknown;
  unknown?: unknown;
  results: unknown[];
}

/** What a server has seen. */
export interface Seen {
  url: string;
  asked: Asked[];
  /** The most requests in progress at the same time. */
  mostInFlight: number;
  inFlight: number;
  /** Requests that the client broke off before they were answered. */
  brokenOff: number;
}

/** A PnL record; each number gives a different day. */
export function pnlRecord(n: number, wallet: unknown = walletOf(1)): Record<string, unknown> {
  const date = new Date(Date.UTC(2020, 0, 1 + n)).toISOString().replace('.000', '');
  const counts = { trades: 3, wins: 2, losses: 1 };
  return { date, proxy_wallet: wallet, invested: '1.5', pnl: String(n / 100), ...counts, win_rate: '66.6' };
}

/** Runs a real server that pages through PnL records correctly, except for what a test changes. */
export async function pagedServer({ records, most = 1000, delay = () => 0, change }: Paged): Promise<Seen> {
  const seen: Omit<Seen, 'url' | 'asked'> = { mostInFlight: 0, inFlight: 0, brokenOff: 0 };
  const { url, asked } = await faultServer((body, response) => {
    const { limit, offset } = body.pagination;
    const wallet = body.params.wallet;
    const all = typeof records === 'number' ? records : (records[wallet ?? ''] ?? 0);
    const count = Math.max(0, Math.min(limit, most, all - offset));
    const page: PageSent = {
      status: 200,
      headers: {},
      pagination: { limit: Math.min(limit, most), offset, has_more: offset + count < all },
      results: Array.from({ length: count }, (_, at) => pnlRecord(offset + at, wallet)),
    };
    change?.(page, body);
    answerLater(response, page, delay(body), seen);
  });
  return Object.assign(seen, { url, asked });
}

/** The server learns within fewer turns of the event loop that a client has closed a connection. */
const TURNS = 6;

function answerLater(
  response: ServerResponse,
  page: PageSent,
  delayMs: number,
  seen: Omit<Seen, 'url' | 'asked'>,
): void {
  let [isCounted, isDone] = [false, false];
  // Counts some turns later: by then the server has seen the end of any request that the client broke off before.
  const countIn = (turns: number) => {
    if (isDone) return;
    if (turns > 0) {
      setImmediate(() => countIn(turns - 1));
      return;
    }
    isCounted = true;
    seen.inFlight += 1;
    seen.mostInFlight = Math.max(seen.mostInFlight, seen.inFlight);
    setTimeout(send, delayMs);
  };
  const done = () => {
    if (isCounted && !isDone) seen.inFlight -= 1;
    isDone = true;
  };
  response.once('close', () => {
    done();
    if (!response.writableFinished) seen.brokenOff += 1;
  });
  const { status, headers, pagination, window, completeness, unknown, results } = page;
  const send = () => {
    // The client may have the whole answer, and send its next request, before this server learns that it was written.
    done();
    sendWith(
      response,
      status,
      headers,
      JSON.stringify({ pagination, window, completeness, unknown, data: { results } }),
    );
  };
  // One that is answered at once is never counted.
  if (delayMs === 0) send();
  else countIn(TURNS);
}

/** Waits until a condition holds, for about two seconds at most. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo() && tries < 200; tries += 1) await new Promise((done) => setTimeout(done, 10));
}
