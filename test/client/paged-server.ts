import type { ServerResponse } from 'node:http';
import { walletOf } from '../support/raw-records.js';
import { type Asked, faultServer, sendWith } from './fault-server.js';

/** What a server that pages as it should has, and how it answers. */
export interface Paged {
  /** Records of each wallet, or of the dataset where the query names none. */
  records: number | Readonly<Record<string, number>>;
  /** The most records that it sends, whatever was asked. */
  most?: number;
  /** Milliseconds until a page is sent. */
  delay?: (asked: Asked) => number;
  /** Changes a page before it is sent. */
  change?: (page: PageSent, asked: Asked) => void;
}

/** An answer, as it is about to be sent. */
export interface PageSent {
  status: number;
  headers: Record<string, string>;
  pagination: Record<string, unknown>;
  results: unknown[];
}

/** What a server saw. */
export interface Seen {
  url: string;
  asked: Asked[];
  /** Requests that it was answering at the same time, at most. */
  mostInFlight: number;
  inFlight: number;
  /** Requests that were broken off before they were answered. */
  brokenOff: number;
}

/** A PnL record; each number gives another day. */
export function pnlRecord(n: number, wallet: unknown = walletOf(1)): Record<string, unknown> {
  const date = new Date(Date.UTC(2020, 0, 1 + n)).toISOString().replace('.000', '');
  const counts = { trades: 3, wins: 2, losses: 1 };
  return { date, proxy_wallet: wallet, invested: '1.5', pnl: String(n / 100), ...counts, win_rate: '66.6' };
}

/** Runs a real server that pages through PnL records as it should, but for what a test changes. */
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

function answerLater(
  response: ServerResponse,
  page: PageSent,
  delayMs: number,
  seen: Omit<Seen, 'url' | 'asked'>,
): void {
  let [isCounted, isDone] = [false, false];
  // Two turns later: of another request that its client broke off before it sent this one, the end comes until then.
  setImmediate(() =>
    setImmediate(() => {
      if (isDone) return;
      isCounted = true;
      seen.inFlight += 1;
      seen.mostInFlight = Math.max(seen.mostInFlight, seen.inFlight);
    }),
  );
  const done = () => {
    if (isCounted && !isDone) seen.inFlight -= 1;
    isDone = true;
  };
  response.once('close', () => {
    done();
    if (!response.writableFinished) seen.brokenOff += 1;
  });
  const { status, headers, pagination, results } = page;
  const send = () => {
    // The client may have the whole answer, and send its next request, before this server hears that it was written.
    done();
    sendWith(response, status, headers, JSON.stringify({ pagination, data: { results } }));
  };
  if (delayMs === 0) send();
  else setTimeout(send, delayMs);
}

/** Waits until what is asked is so, for a while. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo() && tries < 200; tries += 1) await new Promise((done) => setTimeout(done, 10));
}
