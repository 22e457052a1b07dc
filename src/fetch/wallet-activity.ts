import { SourceError } from '../base/errors.js';
import { ActivityFile } from './activity-file.js';
import type { FetchFolder } from './fetch-folder.js';
import type { FetchProgress } from './fetch-progress.js';
import { PageFile } from './page-file.js';
import { recordsOf } from './records.js';
import type { Sources } from './sources.js';
import { repeats, walkPages, walkV2 } from './walk-pages.js';

/** File of a wallet's activity in its folder. */
export const ACTIVITY = 'activity.ndjson';

const V2 = '/v2/activity';
const V1 = '/activity';
const V2_LIMIT = 1000;
const V1_LIMIT = 500;
/** The last minutes of a record may still change: they are asked for again, in seconds. */
const OVERLAP = 600;

/** What a walk through a wallet's activity found. */
export interface WalletActivity {
  readonly activity: ActivityFile;
  /** New records. */
  readonly fresh: number;
  /** Records of the run before that had changed or vanished at the source; they were fetched anew. */
  readonly changed: number;
  /** Unix seconds up to which the record is known; null if nothing is. */
  readonly until: number | null;
}

interface Asked {
  readonly sources: Sources;
  readonly folder: FetchFolder;
  readonly wallet: string;
  readonly progress: FetchProgress;
}

/**
 * Fetches a wallet's whole activity, or on a later run what is new. What the source does not give is noted as missing.
 *
 * @returns The file, still open.
 * @throws {SourceError} If the source gives nothing at all.
 */
export async function fetchActivity(asked: Asked): Promise<WalletActivity> {
  const { folder, progress } = asked;
  const now = Math.floor(Date.now() / 1000);
  const older = await PageFile.stateOf(folder.path, ACTIVITY);
  progress.begin('activity');
  let opened = await openActivity(asked, older && older.rows > 0 && older.endpoint === V1 ? V1 : V2);
  const rowsBefore = opened.state.rows;
  let changed = 0;
  try {
    try {
      changed = await walkAll(asked, opened);
    } catch (error) {
      if (!isRefusal(error) || opened.state.rows > 0 || opened.state.endpoint === V1) throw error;
      await opened.close();
      opened = await openActivity(asked, V1);
      await walkAll(asked, opened);
    }
    return { activity: opened, fresh: opened.state.rows - rowsBefore, changed, until: now };
  } catch (error) {
    const { rows, time } = opened.state;
    if (!(error instanceof SourceError) || rows === 0) {
      await opened.close();
      throw error;
    }
    // A cursor that led astray is not used again; one whose source failed is.
    await opened.settle(error.details.kind === 'repeats' ? { cursor: null } : {});
    folder.miss('activity', error.message, time, now);
    return { activity: opened, fresh: rows - rowsBefore, changed, until: time };
  }
}

/** Whether the other version of the Data API may answer what this one did not. */
function isRefusal(error: unknown): error is SourceError {
  return error instanceof SourceError && error.details.kind !== 'unreachable';
}

async function openActivity({ folder, wallet }: Asked, endpoint: string): Promise<ActivityFile> {
  const file = await PageFile.open(folder.path, ACTIVITY, { endpoint, params: { user: wallet } });
  return ActivityFile.over(file, wallet);
}

/** Walks to the end. @returns How many records had changed or vanished since they were written. */
async function walkAll(asked: Asked, activity: ActivityFile): Promise<number> {
  const { endpoint, ended, cursor, start, time } = activity.state;
  if (endpoint === V2 && !ended && cursor !== null && start === 1) {
    activity.resume();
    try {
      await walkByCursor(asked, activity, 1, cursor);
      if (await isWhole(asked, activity)) return 0;
    } catch (error) {
      if (!leadsNowhere(error)) throw error;
    }
  }
  const from = Math.max(1, (time ?? 0) - OVERLAP);
  await walkFrom(asked, activity, from);
  const changed = activity.vanished;
  if (changed > 0) {
    await activity.rewind();
    await walkFrom(asked, activity, from);
  }
  return changed;
}

/** Walks from a moment on. Where a walk ends too early, the next one begins at the last second that it reached. */
async function walkFrom(asked: Asked, activity: ActivityFile, first: number): Promise<void> {
  for (let start = first; ; ) {
    await activity.begin(start);
    if (activity.state.endpoint === V1) return walkByOffset(asked, activity, start);
    try {
      await walkByCursor(asked, activity, start, undefined);
      if (await isWhole(asked, activity)) return;
      if (!(Number(activity.state.time) > start))
        throw repeats('The Data API', 'a list that ends before its last record');
    } catch (error) {
      if (!leadsNowhere(error) || !(Number(activity.state.time) > start)) throw error;
    }
    start = activity.state.time ?? start;
  }
}

/** Whether a cursor expired, or the pages that it led to do not end as they should. */
function leadsNowhere(error: unknown): boolean {
  return error instanceof SourceError && (error.details.status === 400 || error.details.kind === 'repeats');
}

/** Whether the source has no record that is later than what was walked through: a list may end too early. */
async function isWhole({ sources, wallet }: Asked, { state: { time } }: ActivityFile): Promise<boolean> {
  const params = { user: wallet, start: 1, sort_direction: 'DESC', limit: 1, exclude_deposits_withdrawals: true };
  const [latest] = recordsOf(await sources.get('data', V2, params), 'data');
  return latest === undefined || !(Number(latest.value.timestamp) > (time ?? 0));
}

async function walkByCursor(
  asked: Asked,
  activity: ActivityFile,
  start: number,
  cursor: string | undefined,
): Promise<void> {
  const { sources, wallet } = asked;
  const params = {
    user: wallet,
    start,
    sort_direction: 'ASC',
    limit: V2_LIMIT,
    exclude_deposits_withdrawals: true,
  };
  for await (const { records, next, place } of walkV2(sources, { source: 'data', path: V2, params, cursor })) {
    await activity.take(records, place, { start, cursor: next ?? null, ended: next === undefined });
    tell(asked, activity, records.length, start);
  }
}

/**
 * Walks by offsets. Where the source gives no more of them, by a refusal, a page that comes again or an empty one, the
 * walk begins anew at the last second, which is compared record by record; it has ended once that brings nothing new.
 */
async function walkByOffset(asked: Asked, activity: ActivityFile, first: number): Promise<void> {
  for (let start = first; ; ) {
    const rowsBefore = activity.state.rows;
    const { end, given } = await walkWindow(asked, activity, start);
    const last = activity.reached;
    const isNew = activity.state.rows > rowsBefore;
    if (end === 'empty' && given === 0) break;
    if (isNew || last > start) {
      start = last;
    } else {
      // The second fills all that the source gives.
      if (end === 'capped') {
        const why = `the source gives only ${given} records of this second`;
        asked.folder.miss('activity', why, last, last);
      }
      start = last + 1;
    }
    await activity.advance(start);
  }
  await activity.settle({ cursor: null, ended: true });
}

/** One walk by offsets from a moment on. @returns How it ended, and how many records the source gave. */
async function walkWindow(
  asked: Asked,
  activity: ActivityFile,
  start: number,
): Promise<{ end: 'capped' | 'empty'; given: number }> {
  const { sources, wallet } = asked;
  let given = 0;
  const ask = async (cursor = '0') => {
    const params = { user: wallet, start, sortBy: 'TIMESTAMP', sortDirection: 'ASC', limit: V1_LIMIT, offset: cursor };
    const answer = await sources.get('data', V1, params);
    const records = recordsOf(answer, undefined);
    const next = records.length === 0 ? undefined : String(Number(cursor) + records.length);
    return { records, next, place: answer.place };
  };
  try {
    for await (const { records, place } of walkPages(ask, undefined, 1)) {
      await activity.take(records, place, { start, cursor: null, ended: false });
      given += records.length;
      tell(asked, activity, records.length, start);
    }
    return { end: 'empty', given };
  } catch (error) {
    if (given > 0 && isCap(error)) return { end: 'capped', given };
    throw error;
  }
}

/** Whether a failure shows that the source gives no more by offsets. */
function isCap(error: unknown): boolean {
  if (!(error instanceof SourceError)) return false;
  const { kind, status = 0, said = '' } = error.details;
  return kind === 'repeats' || (status >= 400 && status < 500 && /offset/i.test(said));
}

function tell({ progress }: Asked, { state: { time } }: ActivityFile, rows: number, start: number): void {
  // Without a better measure, the time since the first record.
  const share = time === null || start <= 1 ? undefined : (time - start) / Math.max(1, Date.now() / 1000 - start);
  progress.page(rows, { time, ...(share === undefined ? {} : { share }) });
}
