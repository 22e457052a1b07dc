import { InputError, SourceError, UsageError } from '../base/errors.js';
import { appendAll, greatestOf, leastOf } from '../base/many.js';
import { counted, fieldOf } from '../base/texts.js';
import type { ActivityNames } from './activity-file.js';
import { FetchFolder, type FetchManifest, type FetchOptions } from './fetch-folder.js';
import { FetchProgress } from './fetch-progress.js';
import { idOf } from './market-facts.js';
import { MarketRecords } from './market-records.js';
import { PageFile } from './page-file.js';
import type { Sources } from './sources.js';
import { walkV2 } from './walk-pages.js';
import { ACTIVITY, fetchActivity } from './wallet-activity.js';

/** What a fetch of a wallet did. */
export interface WalletFetch {
  readonly wallet: string;
  readonly folder: string;
  readonly manifest: FetchManifest;
  /** Records of activity that are new since the run before. */
  readonly fresh: number;
  /** Records of the run before that had changed or vanished at the source; they were fetched anew. */
  readonly changed: number;
}

/**
 * Combined activity, with the legs of each. It is NDJSON as the others, named `.json` only so that ingest leaves it
 * alone: the trades are in the activity already.
 */
const COMBOS = 'combos.json';

/**
 * Fetches everything public about a wallet: its activity, and the markets, resolutions and tokens that it takes to
 * value it. What is there already is not fetched again. What no source gives stands in the manifest as missing.
 *
 * @param address Of the proxy wallet, in any case of letters.
 * @throws {UsageError} If the address is none.
 * @throws {InputError} If the source knows nothing of the wallet.
 * @throws {SourceError} If the source gives no activity.
 * @throws {DataError} If the folder cannot be written, or holds another fetch.
 */
export async function fetchWallet(address: string, options: FetchOptions): Promise<WalletFetch> {
  const { sources, out, onProgress } = options;
  const wallet = walletOf(address);
  const progress = new FetchProgress(`${wallet.slice(0, 8)}…${wallet.slice(-4)}`, onProgress);
  const folder = await FetchFolder.open(out, `wallet-${wallet}`, 'wallet', wallet);
  try {
    const { activity, ...walked } = await fetchActivity({ sources, folder, wallet, progress });
    const { names } = activity;
    const { rows } = activity.state;
    await activity.close();
    if (rows === 0) throw await unknownWallet(sources, wallet);
    const combos = names.combos ? await fetchCombos(sources, folder, wallet) : {};
    const markets = await fetchMarkets(sources, folder, names, progress);
    const manifest = await folder.finish(walked.until, { activity: rows, ...combos, ...markets });
    return { wallet, folder: folder.path, manifest, fresh: walked.fresh, changed: walked.changed };
  } finally {
    const kept = await PageFile.stateOf(folder.path, ACTIVITY).catch(() => ({ rows: 1 }));
    await folder.close({ empty: !kept?.rows });
  }
}

/** A wallet's address in lower case; the link of a profile page is one, too. @throws {UsageError} If it is none. */
export function walletOf(address: string): string {
  const wallet = address.trim().toLowerCase().replace(PROFILE, '$1');
  if (/^0x[0-9a-f]{40}$/.test(wallet)) return wallet;
  const what = /^0x[0-9a-f]{64}$/.test(wallet)
    ? 'that is the id of a market or a transaction'
    : `got ${JSON.stringify(address)}`;
  throw new UsageError(`A wallet is 0x and 40 hex digits; ${what}. ${WHERE}`);
}

/** The link of a wallet's profile page. */
const PROFILE = /^(?:https?:\/\/)?(?:www\.)?polymarket\.com\/profile\/(0x\w+)\/?(?:[?#].*)?$/;

const WHERE =
  'The address of your wallet stands on your profile page on polymarket.com: in its link (polymarket.com/profile/0x…), ' +
  'and behind the copy button beside your name.';

/** Why there is no activity: the error says what the source knows of the address. */
async function unknownWallet(sources: Sources, wallet: string): Promise<InputError> {
  const known = await knownOf(sources, wallet);
  if (known !== '') {
    return new InputError(
      `The Data API gives no activity of ${wallet}, though it knows ${known}: its record cannot be fetched now. Try again later.`,
    );
  }
  return new InputError(
    `${wallet} has no activity on Polymarket: no trade, no position. It may be the address that you log in with (an EOA, ` +
      `as in MetaMask); trades belong to another one, the proxy wallet that Polymarket made for you. ${WHERE}`,
  );
}

/** What else the source knows of a wallet; empty for nothing. */
async function knownOf(sources: Sources, wallet: string): Promise<string> {
  const positions = await sources
    .get('data', '/v2/positions', { user: wallet, limit: 1 })
    .catch(unlessAborted(sources));
  const data = fieldOf(positions?.json, 'data');
  if (Array.isArray(data) && data.length > 0) return 'positions of it';
  const traded = await sources.get('data', '/traded', { user: wallet }).catch(unlessAborted(sources));
  const count = Number(fieldOf(traded?.json, 'traded'));
  return count > 0 ? `trades of it in ${counted(count, 'market')}` : '';
}

function unlessAborted({ signal }: Sources): (error: unknown) => undefined {
  return (error) => {
    signal?.throwIfAborted();
    if (!(error instanceof SourceError)) throw error;
    return undefined;
  };
}

/** Fetches the legs of combined trades. Their file is small and is written anew. @returns Its number of rows. */
async function fetchCombos(sources: Sources, folder: FetchFolder, wallet: string): Promise<Record<string, number>> {
  const path = '/v2/activity/combos';
  const file = await PageFile.open(folder.path, COMBOS, { endpoint: path, params: { user: wallet } });
  try {
    await file.rewind({ rows: 0, bytes: 0, time: null });
    const params = { user: wallet, start: 1, sort_direction: 'ASC', limit: 1000 };
    for await (const { records } of walkV2(sources, { source: 'data', path, params })) {
      for (const { value } of records) folder.drift.count(path, 'v2 combos', value);
      await file.append(records.map(({ text }) => text));
    }
    await file.append([], { ended: true });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    folder.miss('combos', error.message);
  } finally {
    await file.close();
  }
  return { combos: file.state.rows };
}

/** Fetches whatever the activity names. @returns The number of records in each file. */
async function fetchMarkets(
  sources: Sources,
  folder: FetchFolder,
  names: ActivityNames,
  progress: FetchProgress,
): Promise<Record<string, number>> {
  const { conditions, moved, converted, tokens } = names;
  const records = new MarketRecords(sources, folder, progress);
  try {
    await records.load();
    await records.fetchTokensById([...tokens]);
    // A conversion may name the group of its markets instead of a condition.
    const groups = await records.fetchTokens([...moved]);
    const own = [...conditions.keys()].filter((condition) => !groups.has(idOf(condition)));
    const missing = await records.fetchMarkets([...own, ...records.tokenConditions]);
    const others = records.groupsOf(converted).filter((group) => !conditions.has(group));
    const known = new Set(records.tokenConditions);
    await records.fetchTokens(others);
    const siblings = records.tokenConditions.filter((condition) => !known.has(condition));
    appendAll(missing, await records.fetchMarkets(siblings));
    for (const { what, why, conditions: ofThem = [] } of records.faults)
      folder.miss(what, why, ...timesOf(ofThem, conditions));
    if (missing.length > 0) {
      const shown = missing.slice(0, 3).join(', ') + (missing.length > 3 ? ', …' : '');
      const why = `no source has a record of ${counted(missing.length, 'market')}: ${shown}`;
      folder.miss('markets', why, ...timesOf(missing, conditions));
    }
  } finally {
    await records.close();
  }
  return records.rows;
}

/** When a wallet was active in markets, the first time and the last one; null if that is not known. */
function timesOf(markets: readonly string[], conditions: ActivityNames['conditions']): [number | null, number | null] {
  // Activity may have named a condition in its shorter form.
  const times = markets.flatMap((id) => conditions.get(id) ?? conditions.get(id.replace(/00$/, '')) ?? []);
  if (times.length === 0) return [null, null];
  return [leastOf(times.map(({ first }) => first)), greatestOf(times.map(({ last }) => last))];
}
