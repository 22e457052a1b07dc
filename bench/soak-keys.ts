import { setTimeout as sleep } from 'node:timers/promises';
import { SHORT_QUERY_PATH } from '../src/contract/envelope.js';
import { createKey, revokeKey } from '../src/service/accounts/api-keys.js';
import type { Tally } from './soak-load.js';

/** What a change of keys needs. */
interface KeyChanges {
  readonly folder: string;
  readonly url: string;
  readonly keys: SoakKeys;
  readonly tally: Pick<Tally, 'failures'>;
  readonly isOver: () => boolean;
}

/** What the changes came to. */
export interface KeyReport {
  made: number;
  revoked: number;
}

/** So many answers after a change are looked at, each on another connection, so that each worker gives some. */
const ANSWERS = 8;

/** How long a key is used. */
const LIFE_MS = 2000;

/** The keys that requests may be sent with; one stays, others come and go. */
export class SoakKeys {
  /** The key that stays. */
  readonly lasting: string;
  readonly #underWay = new Map<string, number>();
  #passing: string | undefined;

  constructor(lasting: string) {
    this.lasting = lasting;
  }

  /** Runs a request with one of the keys, which is not revoked before the request has ended. */
  async use<T>(work: (key: string) => Promise<T>): Promise<T> {
    const key = this.#passing !== undefined && Math.random() < 0.5 ? this.#passing : this.lasting;
    this.#underWay.set(key, (this.#underWay.get(key) ?? 0) + 1);
    try {
      return await work(key);
    } finally {
      this.#underWay.set(key, (this.#underWay.get(key) ?? 1) - 1);
    }
  }

  /** Has requests sent with another key, too. */
  add(key: string): void {
    this.#passing = key;
  }

  /** Has no further request sent with that key, and waits for those under way. */
  async remove(key: string): Promise<void> {
    this.#passing = undefined;
    while ((this.#underWay.get(key) ?? 0) > 0) await sleep(20);
    this.#underWay.delete(key);
  }
}

/** Makes keys, has them used, and revokes them: every worker must accept each at once, and refuse it at once. */
export async function changeKeys(run: KeyChanges): Promise<KeyReport> {
  const report: KeyReport = { made: 0, revoked: 0 };
  do {
    const { key, stored } = await createKey(run.folder, `soak ${report.made + 1}`);
    report.made++;
    await expectAnswers(run, key, [200]);
    run.keys.add(key);
    await sleep(LIFE_MS);
    await run.keys.remove(key);
    await revokeKey(run.folder, stored.id);
    report.revoked++;
    // 429 where other requests without a key came from here.
    await expectAnswers(run, key, [401, 429]);
  } while (!run.isOver());
  return report;
}

/** Asks with a key, and notes each answer of another status as a failure. */
async function expectAnswers({ url, tally }: KeyChanges, key: string, right: readonly number[]): Promise<void> {
  for (let answers = 0; answers < ANSWERS; ) {
    const found = await statusOf(url, key);
    // A worker that was killed answers nothing.
    if (found === undefined) continue;
    answers++;
    if (!right.includes(found)) {
      tally.failures.push({ kind: 'keys', text: `a key was answered ${found} instead of ${right.join(' or ')}` });
    }
  }
}

/** The status of a query on a connection of its own; undefined if none came. */
async function statusOf(url: string, key: string): Promise<number | undefined> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}`, Connection: 'close' };
  const body = '{"agent_id":555,"pagination":{"limit":1,"offset":0}}';
  const answer = await fetch(url + SHORT_QUERY_PATH, { method: 'POST', headers, body }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.status;
}
