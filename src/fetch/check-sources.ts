import { SourceError } from '../base/errors.js';
import { fieldOf } from '../base/texts.js';
import { type Change, Drift } from './drift.js';
import { recordsOf, shapeError } from './records.js';
import type { SourceName } from './request-pace.js';
import type { ShapeName } from './shapes.js';
import type { SourceParams, Sources } from './sources.js';

/** What a source answered to one question. */
export interface SourceCheck {
  source: SourceName;
  /** Path of the endpoint, such as `/v2/activity`. */
  path: string;
  /** The number of records of the page. */
  records: number;
  /** How they differ from what is known. */
  changes: Change[];
  /** Why there is no usable answer; undefined if there is one. */
  failure: string | undefined;
}

/** One question: which page, where its records are (undefined for the answer itself), and what they should be. */
interface Question {
  readonly source: SourceName;
  readonly path: string;
  readonly params: SourceParams;
  readonly list: string | undefined;
  readonly shape: ShapeName;
  /** Whether the record is one object, not a list of them. */
  readonly isOne?: boolean;
}

/** What the first answers give for further questions. */
interface Known {
  /** A wallet with many records, and a closed market; undefined if no source named one. */
  wallet: string | undefined;
  condition: string | undefined;
}

const FIRST: readonly Question[] = [
  question('gamma', '/markets/keyset', { closed: true, limit: 20 }, 'markets', 'gamma market'),
  question('gamma', '/markets/keyset', { closed: false, limit: 20 }, 'markets', 'gamma market'),
  question('gamma', '/events/keyset', { limit: 20 }, 'events', 'gamma event'),
  question('clob', '/markets', {}, 'data', 'clob market'),
  question('data', '/v2/leaderboard', { time_period: 'all', limit: 20 }, 'data', 'v2 leaderboard'),
  question('data', '/v1/leaderboard', { timePeriod: 'ALL', limit: 20 }, undefined, 'v1 leaderboard'),
  question('data', '/v2/trades', { limit: 100 }, 'data', 'v2 trades'),
];

function then({ wallet: user, condition }: Known): Question[] {
  const ofWallet = [
    question('data', '/v2/activity', { user, start: 1, limit: 100 }, 'data', 'v2 activity'),
    question('data', '/v2/activity/combos', { user, limit: 100 }, 'data', 'v2 combos'),
    question('data', '/v2/positions', { user, status: 'CLOSED', limit: 100 }, 'data', 'v2 positions'),
    { ...question('data', '/v2/user-pnl', { user, interval: 'max', fidelity: '1d' }, 'data', 'v2 pnl'), isOne: true },
    { ...question('data', '/v2/user-stats', { user }, 'data', 'v2 stats'), isOne: true },
    question('data', '/activity', { user, start: 1, limit: 100 }, undefined, 'v1 activity'),
    question('data', '/trades', { user, takerOnly: false, limit: 100 }, undefined, 'v1 trades'),
    question('data', '/positions', { user, limit: 100 }, undefined, 'v1 positions'),
    question('data', '/closed-positions', { user, limit: 50 }, undefined, 'v1 closed positions'),
    { ...question('data', '/traded', { user }, undefined, 'v1 traded'), isOne: true },
  ];
  const ofMarket = [
    question('data', '/v2/tokens', { condition }, 'data', 'v2 tokens'),
    question('data', '/v2/resolutions', { condition }, 'data', 'v2 resolutions'),
  ];
  return [...(user === undefined ? [] : ofWallet), ...(condition === undefined ? [] : ofMarket)];
}

function question(source: SourceName, path: string, params: SourceParams, list: string | undefined, shape: ShapeName) {
  return { source, path, params, list, shape };
}

/**
 * Asks one page of each source that a fetch may use, and compares its records with what is known of them.
 *
 * @param wallet The wallet to ask about. Default the first of the leaderboard.
 * @returns One entry a page. A source that fails does not keep the others from being asked.
 * @throws The signal's reason, when it is aborted.
 */
export async function checkSources(sources: Sources, wallet?: string): Promise<SourceCheck[]> {
  const known: Known = { wallet, condition: undefined };
  let anyWallet: string | undefined;
  const notice = (record: unknown) => {
    anyWallet ??= textIn(record, 'proxy_wallet');
    const isRanked = fieldOf(record, 'rank') !== undefined;
    if (isRanked) known.wallet ??= textIn(record, 'proxy_wallet') ?? textIn(record, 'proxyWallet');
    if (fieldOf(record, 'closed') === true) known.condition ??= textIn(record, 'conditionId');
  };
  const first = await Promise.all(FIRST.map((each) => check(sources, each, notice)));
  known.wallet ??= anyWallet;
  const others = await Promise.all(then(known).map((each) => check(sources, each, () => {})));
  return [...first, ...others];
}

async function check(sources: Sources, asked: Question, notice: (record: unknown) => void): Promise<SourceCheck> {
  const { source, path, params, list, shape, isOne } = asked;
  const drift = new Drift();
  try {
    const answer = await sources.get(source, path, params);
    const one = list === undefined ? answer.json : fieldOf(answer.json, list);
    if (isOne && one === undefined) throw shapeError(answer.place, answer.json, list);
    // A documented miss is null.
    const records = isOne ? (one === null ? [] : [one]) : recordsOf(answer, list).map(({ value }) => value);
    for (const record of records) {
      drift.count(path, shape, record);
      notice(record);
    }
    return { source, path, records: records.length, changes: drift.changes, failure: undefined };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { source, path, records: 0, changes: [], failure: error.message };
  }
}

function textIn(record: unknown, name: string): string | undefined {
  const value = fieldOf(record, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
