import { setTimeout as sleep } from 'node:timers/promises';
import { answerDigest, type Reference } from '../../bench/soak-reference.js';
import { drawRequest, type KnownNames, type SoakRequest } from '../../bench/soak-requests.js';
import { DATA_VERSION_HEADER, SHORT_QUERY_PATH } from '../../src/contract/envelope.js';
import { shardOf } from '../../src/service/clickhouse/result-tables.js';
import type { Nginx, ProxyAnswer } from './nginx-server.js';

/** What the load asks, with what, and where it finds the right answers. */
interface LoadOptions {
  readonly nginx: Nginx;
  readonly reference: Reference;
  readonly names: KnownNames;
  /** Keys of the services; the proxy sends each to a service of its own. */
  readonly keys: readonly string[];
  readonly shards: number;
}

/** An answer that was right. */
interface RightAnswer {
  /** What was going on when it was asked for. */
  readonly stage: string;
  readonly kind: SoakRequest['kind'];
  readonly status: number;
  /** The data version that it named; undefined for refusals. */
  readonly version: string | undefined;
}

/** Between two requests of a connection: the rehearsal is of answers, not of speed. */
const PAUSE_MS = 10;

/** An interval of `performance.now()` in which something was away. */
interface Absence {
  readonly from: number;
  to: number;
}

/**
 * Asks random queries through the proxy, on several connections, and looks at every answer: it must be that of the
 * version that it names, or a 503 with Retry-After while a shard that it needs is away.
 */
export class RehearsalLoad {
  /** What is going on, for the counts. */
  stage = 'begin';
  readonly answers: RightAnswer[] = [];
  /** Answers that were wrong, and requests that got none. */
  readonly faults: string[] = [];
  /** Requests that were sent again, as the service that had begun to answer them was killed. */
  sentAgain = 0;
  readonly #options: LoadOptions;
  readonly #running: Promise<unknown>;
  #shardAway: (Absence & { readonly place: number }) | undefined;
  #serviceKilled: number | undefined;
  #isOver = false;

  constructor(options: LoadOptions, connections: number) {
    this.#options = options;
    this.#running = Promise.all(Array.from({ length: connections }, (_, n) => this.#ask(n)));
  }

  /** Call it before a shard is killed. */
  shardGoes(place: number): void {
    this.#shardAway = { place, from: performance.now(), to: Number.POSITIVE_INFINITY };
  }

  /** Call it once the services have found the shard again: from then on no 503 is right. */
  shardIsBack(): void {
    if (this.#shardAway) this.#shardAway.to = performance.now();
  }

  /** Call it before a service is killed. */
  serviceGoes(): void {
    this.#serviceKilled = performance.now();
  }

  /** How many answers of a stage there are, of a status if one is given. */
  count(stage: string, status?: number): number {
    return this.answers.filter((one) => one.stage === stage && (status === undefined || one.status === status)).length;
  }

  /** Waits until so many more answers have come in the stage that it is, or something has gone wrong. */
  async further(answers: number, status?: number): Promise<void> {
    const before = this.count(this.stage, status);
    while (this.count(this.stage, status) - before < answers && this.faults.length === 0) await sleep(10);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #ask(n: number): Promise<void> {
    const { names, keys } = this.#options;
    for (let asked = n; !this.#isOver; asked++) {
      const request = drawRequest(names);
      const headers = request.hasKey ? { Authorization: `Bearer ${keys[asked % keys.length]}` } : {};
      const { stage } = this;
      const sent = performance.now();
      const answer = await this.#post(request, headers, sent).catch((error: Error) => error);
      const fault = answer instanceof Error ? answer.message : await this.#faultOf(request, answer, sent);
      if (fault !== undefined) this.faults.push(`${stage}: ${request.kind} ${request.body}: ${fault}`);
      if (fault !== undefined || answer instanceof Error) continue;
      const { kind } = request;
      const version = answer.status === 200 ? versionOf(answer) : undefined;
      this.answers.push({ stage, kind, status: answer.status, version });
      await sleep(PAUSE_MS);
    }
  }

  /** Posts a query; once more if the service that had begun to answer was killed, when the proxy can do nothing. */
  async #post({ body }: SoakRequest, headers: Record<string, string>, sent: number): Promise<ProxyAnswer> {
    const { nginx } = this.#options;
    try {
      return await nginx.ask(SHORT_QUERY_PATH, headers, body);
    } catch (error) {
      if (this.#serviceKilled === undefined || sent > this.#serviceKilled) throw error;
      this.sentAgain++;
      return await nginx.ask(SHORT_QUERY_PATH, headers, body);
    }
  }

  /** What is wrong with an answer; undefined if nothing is. */
  async #faultOf(request: SoakRequest, answer: ProxyAnswer, sent: number): Promise<string | undefined> {
    const { status, headers, text } = answer;
    const told = text.slice(0, 300);
    if (status === 503 && this.#mayRefuse(request, sent)) {
      return Number(headers['retry-after']) >= 1 ? undefined : `503 without Retry-After: ${told}`;
    }
    if (status !== request.status) return `status ${status} instead of ${request.status}: ${told}`;
    if (status !== 200) return undefined;
    const version = versionOf(answer);
    const expected = await this.#options.reference.digestOf(version, request.body).catch(String);
    return answerDigest(text) === expected ? undefined : `not what version ${version} holds (${expected}): ${told}`;
  }

  /** Whether the query needs a shard that was away at any moment since it was sent. */
  #mayRefuse(request: SoakRequest, sent: number): boolean {
    const away = this.#shardAway;
    if (!away || request.status !== 200 || sent > away.to || performance.now() < away.from) return false;
    return shardsOf(request.body, this.#options.shards).includes(away.place);
  }
}

function versionOf({ headers }: ProxyAnswer): string {
  return String(headers[DATA_VERSION_HEADER.toLowerCase()] ?? 'none');
}

/** The places of the shards that a query cannot be answered without. */
function shardsOf(body: string, shards: number): number[] {
  const { agent_id, params } = JSON.parse(body) as { agent_id: number; params: Readonly<Record<string, string>> };
  const { wallet, wallet_address, proxy_wallet, token_id } = params;
  // Every shard has all markets.
  if (agent_id === 574 || agent_id === 555) return [];
  const own = agent_id === 568 ? token_id : (wallet ?? wallet_address ?? proxy_wallet);
  // A wallet's place is among all wallets, wherever they are.
  if (own === undefined || agent_id === 579) return Array.from({ length: shards }, (_, place) => place);
  return own.split(',').map((id) => shardOf(id, shards));
}
