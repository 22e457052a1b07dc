import { ServiceError, UsageError } from '../base/errors.js';
import type { Client } from '../client/connect.js';
import { anyColumn } from '../frame/tabular/column-values.js';
import { provenanceOf } from '../frame/tabular/provenance.js';
import { columnNames, rowCount, type Tabular } from '../frame/tabular/tabular.js';

/** The frames that a tear sheet is made of: those of a lab's queries, or of your own. Only `pnl` is needed. */
export interface SheetFrames {
  /** Daily PnL records, as of `lab.pnl({ wallet })`: `date`, `proxy_wallet`, `pnl`, `invested`, `wins`, `losses`. */
  readonly pnl: Tabular;
  /** PnL records by market over the whole time, as of `lab.pnl({ wallet, by: 'market', granularity: 'all' })`. */
  readonly markets?: Tabular | undefined;
  /** PnL records by category and week, as of `lab.pnl({ wallet, by: 'category', granularity: '1w' })`. */
  readonly categories?: Tabular | undefined;
  /** Positions, as of `lab.positions({ wallet })`. */
  readonly positions?: Tabular | undefined;
  /** The wallets to compare with, as of `lab.leaderboard({ minTrades: 20 })`. */
  readonly leaderboard?: Tabular | undefined;
}

/** The name of a frame that a sheet can do without. */
export type OptionalFrame = Exclude<keyof SheetFrames, 'pnl'>;

/** What a sheet is made of, and why a part of it is absent. */
export interface SheetData extends SheetFrames {
  readonly absent: { readonly [Name in OptionalFrame]?: string };
  /** The period that was asked for, as days; undefined at an end that is open. */
  readonly period: { readonly from?: string | undefined; readonly to?: string | undefined };
}

/** The period of a sheet: its first and its last day, both included. Default: from the first event to the last. */
export interface SheetPeriod {
  readonly startTime?: Date | string | undefined;
  readonly endTime?: Date | string | undefined;
}

/** The fewest trades of a wallet that counts as one of the field: rates of fewer are noise. */
export const FIELD_TRADES = 20;

/** The most wallets of a field that are asked for. Of a larger one only those of the highest PnL come. */
export const FIELD_WALLETS = 10_000;

/** The most markets and positions that are asked for. */
const MOST_ROWS = 200_000;

const WHAT: Readonly<Record<OptionalFrame, string>> = {
  markets: 'PnL by market',
  categories: 'PnL by category',
  positions: 'positions',
  leaderboard: 'the leaderboard of wallets',
};

/** Columns without which a frame is not what it should be: a service may have ignored what it was asked. */
const NEEDED: Readonly<Record<OptionalFrame, readonly string[]>> = {
  markets: ['proxy_wallet', 'condition_id', 'question', 'pnl', 'invested'],
  categories: ['proxy_wallet', 'category', 'date', 'pnl', 'invested', 'wins', 'losses'],
  positions: ['proxy_wallet', 'status', 'outcome', 'shares', 'cost', 'avg_price', 'last_price', 'unrealized'],
  leaderboard: ['address', 'total_pnl', 'roi', 'win_rate', 'total_volume', 'total_trades'],
};

/** Queries that warn of no record: the sheet says what the records lack, and which wallets nobody has seen. */
const TOLD = { onProvenance: () => {} };

/** A query, of any rows. */
type Asked = { frame(): Promise<Tabular> };

/** Asks a lab for all that a sheet shows. What its service does not have is left out, with a sentence that says so. */
export async function sheetDataOf(lab: Client, wallets: readonly string[], period: SheetPeriod): Promise<SheetData> {
  const { startTime, endTime } = period;
  const asked = { wallet: wallets, ...(startTime && { startTime }), ...(endTime && { endTime }) };
  const isWhole = !startTime && !endTime;
  const one = wallets.length === 1;
  const run = { maxRecords: MOST_ROWS, ...TOLD };
  const queries: Record<OptionalFrame, (() => Asked) | string> = {
    markets: () => lab.pnl({ ...asked, by: 'market', granularity: 'all' }, run),
    categories: one
      ? () => lab.pnl({ ...asked, by: 'category', granularity: '1w' }, run)
      : 'A comparison leaves out categories.',
    positions: !one
      ? 'A comparison leaves out positions.'
      : isWhole
        ? () => lab.positions({ wallet: wallets, status: 'open' }, run)
        : OF_TODAY,
    leaderboard: isWhole
      ? () => lab.leaderboard({ minTrades: FIELD_TRADES }, { maxRecords: FIELD_WALLETS + 1, ...TOLD })
      : OF_ALL_TIME,
  };
  const pnl = await lab.pnl({ ...asked, granularity: '1d' }, TOLD).frame();
  const names = Object.keys(queries) as OptionalFrame[];
  const parts = await Promise.all(names.map((name) => partOf(name, queries[name])));
  const absent: Record<string, string> = {};
  const frames: Record<string, Tabular> = {};
  for (const [at, part] of parts.entries()) {
    const name = names[at] as OptionalFrame;
    if (typeof part === 'string') absent[name] = part;
    else frames[name] = part;
  }
  return { pnl, ...frames, absent, period: { from: dayOf(startTime), to: dayOf(endTime) } };
}

/** A part's frame, or a sentence that says why there is none. */
async function partOf(name: OptionalFrame, make: (() => Asked) | string): Promise<Tabular | string> {
  if (typeof make === 'string') return make;
  try {
    const frame = await make().frame();
    const isEmpty = rowCount(frame) === 0;
    const lacks = NEEDED[name].some((needed) => !columnNames(frame).includes(needed));
    if (lacks && !isEmpty) return `This service does not tell ${WHAT[name]}.`;
    return name === 'categories' && isUncategorized(frame) ? UNCATEGORIZED : frame;
  } catch (error) {
    // A refusal: the service knows no such dataset or filter. Any other failure is one of the whole sheet.
    const status = error instanceof ServiceError ? error.details.status : undefined;
    if (status === 400 || status === 404 || status === 422) return `This service does not tell ${WHAT[name]}.`;
    throw error;
  }
}

const OF_TODAY = 'Positions are those of today, and this sheet covers a part of the time.';
const OF_ALL_TIME = 'The leaderboard counts the whole time, and this sheet covers a part of it.';
const UNCATEGORIZED = 'The data name no category of these markets.';

/** Whether there are records, none of which names a category: a table of them would repeat the total. */
function isUncategorized(frame: Tabular): boolean {
  return rowCount(frame) > 0 && Array.from<unknown>(anyColumn(frame, 'category')).every((name) => !name);
}

function dayOf(time: Date | string | undefined): string | undefined {
  if (time === undefined || time === '') return undefined;
  return (time instanceof Date ? time.toISOString() : time).slice(0, 10);
}

/**
 * The same of frames that the caller has. If the PnL records were asked for a period, what is not of it is left out.
 *
 * @throws {UsageError} If one of them lacks a column.
 */
export function sheetDataOfFrames(frames: SheetFrames): SheetData {
  const absent: Record<string, string> = {};
  for (const name of Object.keys(NEEDED) as OptionalFrame[]) {
    const frame = frames[name];
    if (frame === undefined) absent[name] = `No frame with ${WHAT[name]} was given.`;
    else refuseLacking(name, frame, NEEDED[name]);
  }
  refuseLacking('pnl', frames.pnl, ['date', 'proxy_wallet', 'pnl', 'invested', 'wins', 'losses']);
  const period = periodAsked(frames.pnl);
  const used = { ...frames };
  const leave = (name: OptionalFrame, why: string) => {
    if (used[name] === undefined) return;
    delete used[name];
    absent[name] = why;
  };
  if (frames.categories !== undefined && isUncategorized(frames.categories)) leave('categories', UNCATEGORIZED);
  if (period.from || period.to) {
    leave('positions', OF_TODAY);
    leave('leaderboard', OF_ALL_TIME);
  }
  return { ...used, absent, period };
}

/** The period of the queries that PnL records come from. */
function periodAsked(pnl: Tabular): SheetData['period'] {
  const end = (name: string) => dayOf(provenanceOf(pnl).find(({ params }) => params[name])?.params[name]);
  return { from: end('start_time'), to: end('end_time') };
}

function refuseLacking(name: string, frame: Tabular, needed: readonly string[]): void {
  const has = columnNames(frame);
  const lacking = needed.filter((column) => !has.includes(column));
  if (lacking.length === 0) return;
  throw new UsageError(
    `The frame ${name} of tearSheet lacks ${lacking.join(', ')}; it has ${has.join(', ') || 'no column'}.`,
  );
}
