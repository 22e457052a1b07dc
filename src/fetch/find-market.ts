import { SourceError, UsageError } from '../base/errors.js';
import { fieldOf } from '../base/texts.js';
import { idOf } from './market-facts.js';
import { PRIVATE_FIELDS, PRIVATE_GAMMA_FIELDS, recordOf, recordsOf, type SourceRecord } from './records.js';
import type { Sources } from './sources.js';

/**
 * Finds a market by its slug, by Gamma's number or by its condition id, open or closed.
 *
 * @returns Gamma's record, or the CLOB's if Gamma does not know the market.
 * @throws {UsageError} If there is none; the message names what the source's search finds instead.
 * @throws {SourceError} If a source fails.
 */
export async function findMarket(sources: Sources, named: string): Promise<SourceRecord> {
  const condition = conditionIn(named);
  if (condition === undefined) return byName(sources, 'market', slugIn(named, 'market'));
  const record = await byCondition(sources, condition);
  if (record) return record;
  try {
    const answer = await sources.get('clob', `/markets/${condition}`);
    const found = recordOf(answer, PRIVATE_FIELDS);
    if (typeof found.value.condition_id === 'string') return found;
  } catch (error) {
    if (!isUnknown(error)) throw error;
  }
  throw new UsageError(`No market has the condition id ${condition}: neither Gamma nor the CLOB knows it.`);
}

/**
 * Finds an event with its markets, by its slug, by Gamma's number or by the condition id of one of its markets.
 *
 * @throws {UsageError} If there is none; the message names what the source's search finds instead.
 * @throws {SourceError} If a source fails.
 */
export async function findEvent(sources: Sources, named: string): Promise<SourceRecord> {
  const condition = conditionIn(named);
  if (condition === undefined) return byName(sources, 'event', slugIn(named, 'event'));
  const market = await byCondition(sources, condition);
  const events = market?.value.events;
  const id = fieldOf(Array.isArray(events) ? events[0] : undefined, 'id');
  if (typeof id === 'string') return byName(sources, 'event', id);
  throw new UsageError(`No event has a market of the condition id ${condition}: Gamma knows none.`);
}

/** The link of an event's page, and of a market's within it. */
const LINK = /^(?:https?:\/\/)?(?:www\.)?polymarket\.com\/(?:event|market)\/([^/?#]+)(?:\/([^/?#]+))?\/?(?:[?#].*)?$/i;

/** The slug in the link of a page of the source; any other name is itself. */
function slugIn(named: string, kind: 'market' | 'event'): string {
  const [, first, second] = LINK.exec(named.trim()) ?? [];
  return (kind === 'market' ? second : undefined) ?? first ?? named;
}

/** The condition id that a name is; undefined if it is a slug or a number. @throws {UsageError} If it is malformed. */
function conditionIn(named: string): string | undefined {
  if (!/^0x/i.test(named)) return undefined;
  if (/^0x([0-9a-f]{62}|[0-9a-f]{64})$/i.test(named)) return idOf(named);
  const digits = named.length - 2;
  const address = digits === 40 ? ' A wallet is fetched by "oddslab fetch wallet".' : '';
  throw new UsageError(
    `${named} is no condition id: that is 0x and 64 hexadecimal digits, but this has ${digits}.${address}`,
  );
}

/** Gamma gives either open or closed markets. */
async function byCondition(sources: Sources, condition: string): Promise<SourceRecord | undefined> {
  for (const closed of [false, true]) {
    const answer = await sources.get('gamma', '/markets/keyset', { condition_ids: condition, closed, limit: 100 });
    const records = recordsOf(answer, 'markets', PRIVATE_GAMMA_FIELDS);
    const found = records.find(({ value }) => idOf(String(value.conditionId)) === condition);
    if (found) return found;
  }
  return undefined;
}

async function byName(sources: Sources, kind: 'market' | 'event', named: string): Promise<SourceRecord> {
  const isNumber = /^\d+$/.test(named);
  const path = `/${kind}s/${isNumber ? named : `slug/${encodeURIComponent(named)}`}`;
  try {
    const answer = await sources.get('gamma', path);
    const record = recordOf(answer, PRIVATE_GAMMA_FIELDS);
    if (typeof record.value.slug === 'string') return record;
  } catch (error) {
    if (!isUnknown(error)) throw error;
  }
  const what = isNumber ? `Gamma's number ${named}` : `the slug ${JSON.stringify(named)}`;
  const other = kind === 'market' ? 'event' : 'market';
  const near = isNumber ? [] : await searched(sources, kind, named);
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : `Is it an ${other}'s, for "fetch ${other}"?`;
  throw new UsageError(`No ${kind} has ${what}. ${hint.replace('an market', 'a market')}`);
}

/** Whether a source says that there is no such record. */
function isUnknown(error: unknown): boolean {
  return (
    error instanceof SourceError &&
    error.details.kind === 'refused' &&
    [400, 404, 422].includes(error.details.status ?? 0)
  );
}

/** The slugs that the source's search finds for a name, at most three. It is only a hint: a failure gives none. */
async function searched(sources: Sources, kind: 'market' | 'event', named: string): Promise<string[]> {
  try {
    const q = named.replaceAll(/[-_]+/g, ' ');
    const { json } = await sources.get('gamma', '/public-search', { q, limit_per_type: 3 });
    const events = fieldOf(json, 'events');
    const found = (Array.isArray(events) ? events : []).flatMap((event) => {
      const markets = fieldOf(event, 'markets');
      return kind === 'event' ? [event] : Array.isArray(markets) ? markets : [];
    });
    return found.flatMap((each) => fieldOf(each, 'slug') ?? []).slice(0, 3) as string[];
  } catch (error) {
    if (error instanceof SourceError) return [];
    throw error;
  }
}
