import { quoteText } from '../../base/duckdb.js';
import type { Database } from '../store/database.js';
import type { FetchStatus } from './fetch-status.js';

/** The kind of origin that a sample of `oddslab simulate` is, beside those of fetches. */
export const SIMULATION = 'simulation';

/** A fetch that states events, with the format of the file in which it does. */
export interface FetchOrigin extends Pick<FetchStatus, 'kind' | 'target'> {
  /** The format's id: a folder may hold files of several, each of which is a download. */
  readonly format: string;
}

/** A fetch of an input, and when it began. */
export interface InputOrigin extends FetchOrigin {
  readonly status: FetchStatus;
}

/** Columns of the table of fetches that state events; `whole` tells whether one of their runs lacked none. */
export const ORIGINS = 'origin INTEGER, kind VARCHAR, target VARCHAR, format VARCHAR, started_ms BIGINT, whole BOOLEAN';

interface KnownOrigin extends FetchOrigin {
  readonly origin: number;
  readonly started_ms: number;
  readonly whole: boolean;
}

/** The numbers of the fetches among the inputs. */
export interface OriginNumbers {
  /** For each file of events, the number of its fetch as SQL. */
  readonly ofFiles: readonly (number | 'NULL')[];
  /** Those of which the inputs replace what was stated before. */
  readonly replaced: readonly (InputOrigin & { readonly origin: number })[];
}

/** The parts of a fetch that are events. */
const EVENTS = new Set(['activity', 'trades', 'combos']);

/** A text that tells a fetch and its format from any other. */
export function originName({ kind, target, format }: FetchOrigin): string {
  return `${kind} ${target} ${format}`;
}

/**
 * Fills the table `origins` from that of an earlier version and from the inputs. A fetch replaces what it stated
 * before, unless it began before that, as an old copy of its folder did, or knows that it lacks events where one of
 * its runs lacked none: then it only adds.
 */
export async function loadOrigins(db: Database, inputs: readonly (InputOrigin | undefined)[]): Promise<OriginNumbers> {
  const known = new Map<string, KnownOrigin>();
  for (const row of await db.rows<KnownOrigin>(
    'SELECT * REPLACE (started_ms::DOUBLE AS started_ms) FROM old_origins ORDER BY origin',
  ))
    known.set(originName(row), row);
  const replaced = new Map<number, OriginNumbers['replaced'][number]>();
  const given = inputs.filter((input) => input !== undefined);
  for (const input of given) {
    const before = known.get(originName(input));
    if (!before || startOf(input) < before.started_ms || (before.whole && !isWhole(input))) continue;
    replaced.set(before.origin, { ...input, origin: before.origin });
  }
  for (const input of given) {
    const name = originName(input);
    const { origin = known.size + 1, started_ms = 0, whole = false } = known.get(name) ?? {};
    const { kind, target, format } = input;
    const started = Math.max(startOf(input), started_ms);
    known.set(name, { origin, kind, target, format, started_ms: started, whole: whole || isWhole(input) });
  }
  const rows = Array.from(known.values(), ({ origin, kind, target, format, started_ms, whole }) => {
    return `(${origin}, ${[kind, target, format].map(quoteText).join()}, ${started_ms}, ${whole})`;
  });
  if (rows.length > 0) await db.run(`INSERT INTO origins VALUES ${rows.join()}`);
  const ofFiles = inputs.map((input) => (input && known.get(originName(input))?.origin) ?? 'NULL');
  return { ofFiles, replaced: [...replaced.values()] };
}

function startOf({ status }: InputOrigin): number {
  return Date.parse(status.started);
}

function isWhole({ status: { ended, missing } }: InputOrigin): boolean {
  return ended !== null && !missing.some(({ what }) => EVENTS.has(what));
}
