import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError } from '../base/errors.js';
import { ActivityFile } from './activity-file.js';
import type { FetchFolder } from './fetch-folder.js';
import type { FetchProgress } from './fetch-progress.js';
import { PageFile } from './page-file.js';
import { recordsOf } from './records.js';
import { afterVersion2 } from './refusals.js';
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

/** Walks after which records that came since the fetch began are left to the next run. */
const MOST_ROUNDS = 5;
/** Since then, in Unix seconds, positions are migrated, of which v1 tells nothing: 2026-04-28. */
const MIGRATIONS = 1_777_334_400;

/**
 * Files of a walk that replaces records once it is whole: those of the last minutes, and all that were of v1. Ingest
 * leaves their names alone.
 */
const TAIL = 'activity-tail.json';
const ANEW = 'activity-v2.json';

/** What a walk through a wallet's activity found. */
export interface WalletActivity {
  readonly activity: ActivityFile;
  /** New records, and new versions of changed ones. */
  readonly fresh: number;
  /** Records of the run before that had changed or vanished at the source. */
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

/** What a walk is to do, and what it met. */
interface Walk extends Asked {
  /** Unix seconds of the latest record that the source gave on an earlier run; null if it gave none. */
  readonly known: number | null;
  /** Unix seconds at which the fetch began: what came later may be left to the next run. */
  readonly now: number;
  /** Seconds of which v1 does not give all records, which is told. */
  readonly capped: Set<number>;
}

/**
 * Fetches a wallet's whole activity, or on a later run what is new. What the source does not give is noted as missing.
 * Nothing that is kept is cut off, unless a whole walk shows that it changed or vanished.
 *
 * @returns The file, still open.
 * @throws {SourceError} If the source gives nothing at all.
 */
export async function fetchActivity(asked: Asked): Promise<WalletActivity> {
  const { folder, progress } = asked;
  const now = Math.floor(Date.now() / 1000);
  const older = await PageFile.stateOf(folder.path, ACTIVITY);
  const isV1 = older !== undefined && older.rows > 0 && older.endpoint === V1;
  const walk: Walk = { ...asked, known: older?.rows ? older.time : null, now, capped: new Set() };
  progress.begin('activity');
  let opened = await openActivity(asked, isV1 ? V1 : V2);
  const rowsBefore = opened.state.rows;
  let changed = 0;
  try {
    if (isV1) opened = await moveToV2(walk, opened);
    else await removePages(folder.path, ANEW);
    try {
      if (!isV1 || opened.state.endpoint === V1) changed = await walkAll(walk, opened);
    } catch (error) {
      if (!isRefused(error) || opened.state.rows > 0 || opened.state.endpoint === V1) throw error;
      await opened.close();
      const old = await openActivity(asked, V1);
      opened = old;
      await afterVersion2(error, () => walkAll(walk, old));
    }
    const { endpoint, rows, time } = opened.state;
    if (endpoint === V1 && Number(time) >= MIGRATIONS) {
      const why =
        'the Data API v2 did not answer, and v1 does not list migrations of positions. Run the same command again ' +
        'later: once v2 answers, the whole record is fetched anew from it';
      folder.miss('activity', why, MIGRATIONS, now);
    }
    return { activity: opened, fresh: Math.max(0, rows - rowsBefore + changed), changed, until: now };
  } catch (error) {
    const { rows, time } = opened.state;
    if (!(error instanceof SourceError) || rows === 0) {
      await opened.close();
      throw error;
    }
    // A cursor that led astray is not used again; one whose source failed is.
    await opened.settle(error.details.kind === 'repeats' ? { cursor: null } : {});
    folder.miss('activity', `${error.message}${await remedyFor(error, asked, opened)}`, time, now);
    return { activity: opened, fresh: rows - rowsBefore, changed, until: time };
  }
}

/** Whether a source does not have what is asked for, which trying again does not change. */
function isRefused(error: unknown): error is SourceError {
  return error instanceof SourceError && ['refused', 'shape'].includes(error.details.kind);
}

/** What to do where v2 is gone, but v1 is not. */
async function remedyFor(error: SourceError, { sources, wallet }: Asked, { state }: ActivityFile): Promise<string> {
  if (state.endpoint !== V2 || !isRefused(error)) return '';
  try {
    const answer = await sources.get('data', V1, { user: wallet, start: 1, limit: 1 });
    if (recordsOf(answer, undefined).length === 0) return '';
  } catch (failure) {
    if (failure instanceof SourceError) return '';
    throw failure;
  }
  return ' The Data API v1 answers, but its records do not fit to those of v2: to have them, fetch into another folder (--out).';
}

async function openActivity({ folder, wallet }: Asked, endpoint: string, name = ACTIVITY): Promise<ActivityFile> {
  const file = await PageFile.open(folder.path, name, { endpoint, params: { user: wallet } });
  return ActivityFile.over(file, wallet);
}

/**
 * Fetches a record that was begun on v1 anew from v2, if that answers now. What there is stays until the new one is whole.
 *
 * @returns The file, of v2 if that gave all.
 */
async function moveToV2(walk: Walk, old: ActivityFile): Promise<ActivityFile> {
  const { path } = walk.folder;
  const anew = await openActivity(walk, V2, ANEW);
  try {
    await walkAll(walk, anew);
  } catch (error) {
    await anew.close();
    if (!(error instanceof SourceError)) throw error;
    // What came before the failure is there for the next run.
    if (anew.state.rows === 0) await removePages(path, ANEW);
    return old;
  }
  await old.rewind({ rows: 0, bytes: 0, time: null });
  await old.close();
  const moved = await openActivity(walk, V2);
  await moved.begin(1);
  await moved.replaceBy(anew);
  await anew.close();
  await removePages(path, ANEW);
  return moved;
}

/** Walks to the end. @returns How many records had changed or vanished since they were written. */
async function walkAll(walk: Walk, activity: ActivityFile): Promise<number> {
  const before = activity.state;
  const { endpoint, ended, cursor, start, time } = before;
  if (endpoint === V2 && !ended && cursor !== null && start === 1) {
    activity.resume();
    try {
      await walkByCursor(walk, activity, 1, cursor);
      if ((await lackOf(walk, activity)) === undefined) return 0;
    } catch (error) {
      if (!leadsNowhere(error)) throw error;
    }
  }
  await walkFrom(walk, activity, Math.max(1, (time ?? 0) - OVERLAP));
  const changed = activity.vanished;
  if (changed === 0 || walk.capped.size > 0) return 0;
  try {
    return (await replaceTail(walk, activity)) ? changed : 0;
  } catch (error) {
    // Among records that changed, new ones would stand in another order.
    if (error instanceof SourceError) await activity.rewind(before);
    throw error;
  }
}

/** Fetches what the last walk went through once more, in its order, and puts it in place once it is whole. */
async function replaceTail(walk: Walk, activity: ActivityFile): Promise<boolean> {
  const { path } = walk.folder;
  await removePages(path, TAIL);
  const tail = await openActivity(walk, activity.state.endpoint, TAIL);
  try {
    await walkFrom(walk, tail, activity.begun ?? 1);
    if (walk.capped.size > 0) return false;
    await activity.replaceBy(tail);
    return true;
  } finally {
    await tail.close();
    await removePages(path, TAIL);
  }
}

/** Walks from a moment on. Where a walk ends too early, the next one begins at the last second that it reached. */
async function walkFrom(walk: Walk, activity: ActivityFile, first: number): Promise<void> {
  for (let [start, round] = [first, 1]; ; round++) {
    await activity.begin(start);
    const { rows, endpoint } = activity.state;
    const isStuck = () => activity.state.rows === rows && !(Number(activity.state.time) > start);
    try {
      if (endpoint === V1) await walkByOffset(walk, activity, start);
      else await walkByCursor(walk, activity, start, undefined);
      const lack = await lackOf(walk, activity);
      // A wallet that trades all the time is never at its last record.
      if (lack === undefined || (round > MOST_ROUNDS && Number(activity.given) > walk.now)) return;
      if (isStuck()) throw repeats('The Data API', lack);
    } catch (error) {
      if (!leadsNowhere(error) || isStuck()) throw error;
    }
    start = activity.state.time ?? start;
  }
}

/** Whether a cursor expired, or the pages that it led to do not end as they should. */
function leadsNowhere(error: unknown): boolean {
  return error instanceof SourceError && ['refused', 'repeats'].includes(error.details.kind);
}

/**
 * What shows that a walk did not come to the end, by the source's latest records: those of the last second are compared
 * one by one.
 *
 * @returns What the source gave instead; undefined if the walk is whole.
 */
async function lackOf({ sources, wallet, known, capped }: Walk, activity: ActivityFile): Promise<string | undefined> {
  const { given } = activity;
  if (given !== null && capped.has(given)) return undefined;
  const rows = await activity.rowsOfLastSecond();
  const isV1 = activity.state.endpoint === V1;
  const direction = isV1 ? { sortBy: 'TIMESTAMP', sortDirection: 'DESC' } : { sort_direction: 'DESC' };
  const limit = Math.min(rows + 1, isV1 ? V1_LIMIT : V2_LIMIT);
  const excluded = isV1 ? {} : { exclude_deposits_withdrawals: true };
  const params = { user: wallet, start: 1, ...direction, limit, ...excluded };
  const records = isV1
    ? recordsOf(await sources.get('data', V1, { ...params, offset: 0 }), undefined)
    : recordsOf(await sources.get('data', V2, params), 'data');
  const latest = records[0]?.value.timestamp;
  if (latest === undefined)
    return known === null && activity.state.rows === 0 ? undefined : 'no record, but some before';
  if (Number(latest) > (given ?? 0)) return 'a list that ends before its last record';
  if (known !== null && !(Number(latest) >= known && Number(given) >= known))
    return 'a list that ends before the last record that it gave on an earlier run';
  return (await activity.countMissed(records)) > 0 ? 'a list that ends within its last second' : undefined;
}

async function removePages(folder: string, name: string): Promise<void> {
  for (const each of [name, name.replace('.json', '.cursor.json')]) await rm(join(folder, each), { force: true });
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
    for (const { value } of records) asked.folder.drift.count(V2, 'v2 activity', value);
    await activity.take(records, place, { start, cursor: next ?? null, ended: next === undefined });
    tell(asked, activity, records.length, start);
  }
}

/**
 * Walks by offsets. Where the source gives no more of them, by a refusal, a page that comes again or an empty one, the
 * walk begins anew at the last second, which is compared record by record; it has ended once that brings nothing new.
 */
async function walkByOffset(walk: Walk, activity: ActivityFile, first: number): Promise<void> {
  let doubt: [second: number, given: number] | undefined;
  for (let start = first; ; ) {
    const rowsBefore = activity.state.rows;
    const { end, given } = await walkWindow(walk, activity, start);
    // A list that seemed to end within a second, though there are later records.
    if (doubt && given > 0) missSecond(walk, ...doubt);
    doubt = undefined;
    const last = activity.reached;
    const isNew = activity.state.rows > rowsBefore;
    if (end === 'empty' && given === 0) break;
    if (isNew || last > start) {
      start = last;
    } else {
      // The second fills all that the source gives.
      if (end === 'capped') missSecond(walk, last, given);
      else if (given >= V1_LIMIT) doubt = [last, given];
      start = last + 1;
    }
    await activity.advance(start);
  }
  await activity.settle({ cursor: null, ended: true });
}

function missSecond({ folder, capped }: Walk, second: number, given: number): void {
  if (!capped.has(second))
    folder.miss('activity', `the source gives only ${given} records of this second`, second, second);
  capped.add(second);
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
      for (const { value } of records) asked.folder.drift.count(V1, 'v1 activity', value);
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
