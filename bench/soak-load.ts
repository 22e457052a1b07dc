import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, connect } from '../src/client/connect.js';
import { DATA_VERSION_HEADER, SHORT_QUERY_PATH } from '../src/contract/envelope.js';
import { column } from '../src/frame/tabular/column-values.js';
import { SoakConnection, type WireAnswer } from './soak-connection.js';
import type { SoakKeys } from './soak-keys.js';
import { answerDigest, type Reference } from './soak-reference.js';
import { drawRequest, type KnownNames, type SoakRequest } from './soak-requests.js';
import type { SoakService } from './soak-service.js';

/** What a load runs against, and where it notes results. */
export interface SoakLoad {
  readonly service: SoakService;
  readonly reference: Reference;
  readonly keys: SoakKeys;
  readonly names: KnownNames;
  readonly isOver: () => boolean;
  readonly tally: Tally;
}

/** What went wrong, and with which kind of request. */
interface SoakFailure {
  readonly kind: string;
  readonly text: string;
}

/** The results of all requests. */
export interface Tally {
  /** Times of answered requests in ms, by kind. */
  readonly times: Map<string, number[]>;
  /** Ids of the data versions named in answers. */
  readonly versions: Set<string>;
  readonly failures: SoakFailure[];
  /** Requests that were sent again because the worker that held their connection was killed. */
  sentAgain: number;
}

/** Pause between two requests of a connection: the soak tests endurance, not throughput. */
const PAUSE_MS = 4;

/** The time after a kill in which requests still come to the killed worker. */
const KILL_MS = 1000;

/** The most requests of a connection. */
const MOST_REQUESTS = 300;

/** Opens raw connections one after another. A request is sent again only if its worker was killed. */
export async function rawLoad(load: SoakLoad): Promise<void> {
  let line = new NumberedConnection(load.service.url);
  let left = 0;
  while (!load.isOver()) {
    if (left === 0) {
      line.end();
      [line, left] = [new NumberedConnection(load.service.url), 1 + Math.floor(Math.random() * MOST_REQUESTS)];
    }
    left--;
    const request = drawRequest(load.names);
    const started = performance.now();
    const answer = await load.keys.use(async (key) => {
      for (;;) {
        const sent = performance.now();
        const found = await line.post(request, key).catch((error: Error) => error);
        if (!(found instanceof Error)) return found;
        const isAgain = isExcused(load.service, line, sent);
        if (isAgain) load.tally.sentAgain++;
        else fail(load.tally, request, `connection ${line.number} broke: ${found.message}`);
        line.end();
        line = new NumberedConnection(load.service.url);
        if (!isAgain) return undefined;
        await sleep(PAUSE_MS);
      }
    });
    if (!answer) continue;
    noteTime(load.tally, request.kind, performance.now() - started);
    await check(load, request, answer);
    await sleep(PAUSE_MS);
  }
  line.end();
}

let connections = 0;

/** A connection whose requests tell its number in their ids, by which the service's log names its worker. */
class NumberedConnection {
  readonly number = ++connections;
  readonly #connection: SoakConnection;
  #requests = 0;

  constructor(url: string) {
    this.#connection = new SoakConnection(url);
  }

  post({ body, hasKey }: SoakRequest, key: string): Promise<WireAnswer> {
    return this.#connection.post(SHORT_QUERY_PATH, body, {
      'Content-Type': 'application/json',
      'X-Request-Id': `soak-${this.number}-${this.#requests++}`,
      ...(hasKey ? { Authorization: `Bearer ${key}` } : {}),
    });
  }

  end(): void {
    this.#connection.end();
  }
}

/**
 * Whether a connection broke because its worker was killed or, if its worker is unknown, because any was killed after
 * the request was sent, or just before.
 */
function isExcused({ workerOf, killed }: SoakService, { number }: NumberedConnection, sentMs: number): boolean {
  const worker = workerOf.get(String(number));
  if (worker !== undefined) return killed.has(worker);
  return [...killed.values()].some((killedMs) => sentMs - killedMs < KILL_MS);
}

async function check({ reference, tally }: SoakLoad, request: SoakRequest, answer: WireAnswer): Promise<void> {
  const { body, status } = request;
  const told = answer.text.slice(0, 300);
  // A network that sends many of these without a key is told to wait.
  const isRefused = status === 401 && answer.status === 429;
  if (answer.status !== status && !isRefused)
    return fail(tally, request, `status ${answer.status} instead of ${status}: ${told}`);
  if (status !== 200) return;
  const version = answer.headers.get(DATA_VERSION_HEADER.toLowerCase()) ?? 'none';
  tally.versions.add(version);
  const expected = await reference.digestOf(version, body).catch(String);
  if (answerDigest(answer.text) !== expected) {
    fail(tally, request, `not what version ${version} holds (${expected}): ${told}`);
  }
}

function fail({ failures }: Tally, { kind, body }: SoakRequest, what: string): void {
  failures.push({ kind, text: `${body}: ${what}` });
}

/** Runs oddslab's client, with its default retries. What it reads of old wallets must be the same in all versions. */
export async function clientLoad({ service, keys, names, isOver, tally }: SoakLoad): Promise<void> {
  const silent = { progress: false, onWarning: () => {} };
  const client = connect({ baseUrl: service.url, apiKey: keys.lasting, pageSize: 50, ...silent });
  const before = new Map<string, string>();
  for (let n = 0; !isOver(); n++) {
    for (const [name, read] of lastingReads(client, names, n)) {
      const started = performance.now();
      const result = await read().catch((error: Error) => error);
      noteTime(tally, 'client', performance.now() - started);
      const known = before.get(name) ?? result;
      if (result instanceof Error) tally.failures.push({ kind: 'client', text: `${name}: ${result.message}` });
      else if (known !== result) tally.failures.push({ kind: 'client', text: `${name}: not what it was before` });
      else before.set(name, result);
      await sleep(PAUSE_MS);
    }
  }
  await client.close();
}

/** What does not change as versions come, of the nth wallet and token. */
function lastingReads(client: Client, { wallets, tokens }: KnownNames, n: number): [string, () => Promise<string>][] {
  const [wallet, tokenId] = [wallets[n % wallets.length] ?? '', tokens[n % tokens.length] ?? ''];
  return [
    [`pnl of ${wallet}`, async () => column(await client.pnl({ wallet }).frame(), 'pnl').join()],
    [
      `pnl of ${wallet} by market`,
      async () => column(await client.pnl({ wallet, by: 'market', granularity: 'all' }).frame(), 'pnl').join(),
    ],
    [`lifetime of ${wallet}`, async () => column(await client.lifetime({ wallet }).frame(), 'total_pnl').join()],
    [`trades of ${wallet}`, async () => column(await client.trades({ wallet }).frame(), 'id').join()],
    [`positions of ${wallet}`, async () => column(await client.positions({ wallet }).frame(), 'realized').join()],
    [`candles of ${tokenId}`, async () => column(await client.candles({ tokenId }).frame(), 'close').join()],
    // Each version adds markets, so only their presence is checked.
    ['markets', async () => String((await client.markets().frame()).shape[0] > 0)],
  ];
}

function noteTime({ times }: Tally, kind: string, ms: number): void {
  const all = times.get(kind);
  if (all) all.push(ms);
  else times.set(kind, [ms]);
}
