import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../src/client/connect.js';
import { DATA_VERSION_HEADER, SHORT_QUERY_PATH } from '../src/contract/envelope.js';
import { column } from '../src/frame/tabular/column-values.js';
import { SoakConnection, type WireAnswer } from './soak-connection.js';
import { answerDigest, type Reference } from './soak-reference.js';
import { drawRequest, type SoakRequest } from './soak-requests.js';
import type { SoakService } from './soak-service.js';

/** What a load runs against, and where it notes results. */
export interface SoakLoad {
  readonly service: SoakService;
  readonly reference: Reference;
  readonly key: string;
  readonly wallets: readonly string[];
  readonly isOver: () => boolean;
  readonly tally: Tally;
}

/** The results of all requests. */
export interface Tally {
  /** Times of answered requests in ms, by kind. */
  readonly times: Map<string, number[]>;
  /** Ids of the data versions named in answers. */
  readonly versions: Set<string>;
  /** Descriptions of everything that went wrong. */
  readonly failures: string[];
  /** Raw connections that broke because their worker was killed. */
  brokenByKill: number;
}

/** Pause between two requests of a connection: the soak tests endurance, not throughput. */
const PAUSE_MS = 4;

/** The time after a kill in which requests still come to the killed worker. */
const KILL_MS = 1000;

let connections = 0;

/** Opens raw connections one after another, which never retry. */
export async function rawLoad(load: SoakLoad): Promise<void> {
  while (!load.isOver()) {
    connections++;
    await oneConnection(load, connections, 1 + Math.floor(Math.random() * 300));
  }
}

async function oneConnection(load: SoakLoad, number: number, requests: number): Promise<void> {
  const connection = new SoakConnection(load.service.url);
  for (let n = 0; n < requests && !load.isOver(); n++) {
    const request = drawRequest(load.wallets);
    const started = performance.now();
    const headers = {
      'Content-Type': 'application/json',
      'X-Request-Id': `soak-${number}-${n}`,
      ...(request.hasKey ? { Authorization: `Bearer ${load.key}` } : {}),
    };
    const answer = await connection.post(SHORT_QUERY_PATH, request.body, headers).catch((error: Error) => error);
    if (answer instanceof Error) {
      noteBreak(load, number, answer, started);
      break;
    }
    noteTime(load.tally, request.kind, performance.now() - started);
    await check(load, request, answer);
    await sleep(PAUSE_MS);
  }
  connection.end();
}

/**
 * Notes a connection that broke within a request. It is no failure if its worker was killed or, if that is unknown, if
 * any was killed after the request was sent, or just before.
 */
function noteBreak({ service, tally }: SoakLoad, number: number, error: Error, sentMs: number): void {
  const worker = service.workerOf.get(String(number));
  const isExcused =
    worker !== undefined
      ? service.killed.has(worker)
      : [...service.killed.values()].some((killedMs) => sentMs - killedMs < KILL_MS);
  if (isExcused) tally.brokenByKill++;
  else tally.failures.push(`raw connection ${number} (worker ${worker ?? 'unknown'}): ${error.message}`);
}

async function check({ reference, tally }: SoakLoad, request: SoakRequest, answer: WireAnswer): Promise<void> {
  const { kind, body, status } = request;
  if (answer.status !== status) {
    tally.failures.push(`${kind} ${body}: status ${answer.status} instead of ${status}: ${answer.text.slice(0, 300)}`);
    return;
  }
  if (status !== 200) return;
  const version = answer.headers.get(DATA_VERSION_HEADER.toLowerCase()) ?? 'none';
  tally.versions.add(version);
  const expected = await reference.digestOf(version, body).catch(String);
  if (answerDigest(answer.text) !== expected) {
    tally.failures.push(
      `${kind} ${body}: not what version ${version} holds (${expected}): ${answer.text.slice(0, 300)}`,
    );
  }
}

/** Runs oddslab's client, with its default retries. What it reads of old wallets must be the same in all versions. */
export async function clientLoad({ service, key, wallets, isOver, tally }: SoakLoad): Promise<void> {
  const client = connect({ baseUrl: service.url, apiKey: key, pageSize: 50, progress: false, onWarning: () => {} });
  const before = new Map<string, string>();
  const ask = async (name: string, made: () => Promise<string>) => {
    const started = performance.now();
    const result = await made().catch((error: Error) => `failed: ${error.message}`);
    noteTime(tally, 'client', performance.now() - started);
    if (result.startsWith('failed')) tally.failures.push(`client, ${name}: ${result}`);
    else if ((before.get(name) ?? result) !== result) tally.failures.push(`client, ${name}: not what it was before`);
    before.set(name, result);
    await sleep(PAUSE_MS);
  };
  for (let n = 0; !isOver(); n++) {
    const wallet = wallets[n % wallets.length] ?? '';
    await ask(`pnl of ${wallet}`, async () => column(await client.pnl({ wallet }).frame(), 'pnl').join());
    await ask(`lifetime of ${wallet}`, async () =>
      column(await client.lifetime({ wallet }).frame(), 'total_pnl').join(),
    );
    // Each version adds markets, so only their presence is checked.
    await ask('markets', async () => String((await client.markets().frame()).shape[0] > 0));
  }
  await client.close();
}

function noteTime({ times }: Tally, kind: string, ms: number): void {
  const all = times.get(kind);
  if (all) all.push(ms);
  else times.set(kind, [ms]);
}
