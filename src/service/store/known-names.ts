import { nearest } from '../../base/nearest.js';
import { NAMED, type NamedFilter, type UnknownName } from '../../contract/answer-notes.js';
import type { Dataset } from '../../contract/dataset.js';
import { MARKETS, MARKETS_BY_STATE } from '../../contract/markets.js';
import { lowerCase } from './lower-case.js';
import { NotBuilt, type RecordPage, type Slice, type Store } from './store.js';

/** The texts that one filter of a query names. */
interface NamesAsked {
  readonly filter: NamedFilter;
  readonly texts: readonly string[];
}

/** The names in a query's filters that data may lack. */
function namesAsked({ id }: Dataset, filters: Readonly<Record<string, unknown>>): NamesAsked[] {
  return (Object.keys(NAMED) as NamedFilter[]).flatMap((filter) => {
    const value = filters[filter];
    // Of markets, `market_slug` is a text that a name contains, and `condition_id` may be ALL.
    const isSearch = filter === 'market_slug' && (id === MARKETS.id || id === MARKETS_BY_STATE.id);
    if (value === undefined || value === 'ALL' || isSearch) return [];
    return [{ filter, texts: Array.isArray(value) ? value : [String(value)] }];
  });
}

/**
 * Adds to the first page of a query which names in its filters nothing in the data has. A page with records is looked at
 * only if a filter has a list, of which the others may have found them.
 */
export async function withUnknown(
  store: Store,
  dataset: Dataset,
  filters: Readonly<Record<string, unknown>>,
  { offset }: Slice,
  page: RecordPage,
  signal?: AbortSignal,
): Promise<RecordPage> {
  if (offset > 0) return page;
  const isEmpty = page.results.length === EMPTY.length;
  const asked = namesAsked(dataset, filters).filter(({ texts }) => isEmpty || texts.length > 1);
  if (asked.length === 0) return page;
  const unknown = (await Promise.all(asked.map((names) => unknownOf(store, names, signal)))).flat();
  return unknown.length === 0 ? page : { ...page, unknown: JSON.stringify(unknown) };
}

const EMPTY = '[]';

async function unknownOf(store: Store, { filter, texts }: NamesAsked, signal?: AbortSignal): Promise<UnknownName[]> {
  const names = await store.names(filter, texts, signal).catch((error: unknown) => {
    // A version of an earlier release cannot tell, which takes nothing from the answer.
    if (error instanceof NotBuilt) return texts;
    throw error;
  });
  const known = new Set(names.map(lowerCase));
  const inOrder = [...names].sort();
  return texts.flatMap((value) => {
    if (known.has(lowerCase(value))) return [];
    const meant = IDS.includes(filter) ? undefined : nearest(value, inOrder);
    return [{ filter, value, ...(meant === undefined ? {} : { nearest: meant }) }];
  });
}

/** Filters by ids, of which no other is a likely one. */
const IDS: readonly NamedFilter[] = ['condition_id', 'token_id'];

/** What the SQL for names needs of an engine. */
export interface NameDialect {
  readonly literal: (text: string) => string;
  readonly table: (name: 'market_rows' | 'market_sides' | 'fill_tokens') => string;
  /** SQL for the event of `market_rows` in DuckDB's lower case. */
  readonly eventKey: string;
  /** SQL for the beginning, the end and any part of a column. */
  readonly starts: (column: string, part: string) => string;
  readonly ends: (column: string, part: string) => string;
  readonly contains: (column: string, part: string) => string;
}

/** The most names that are compared with the one that was asked for. */
const MOST_NAMES = 2000;

/** SQL for {@link Store.names}, with the one column `name`. */
export function namesSql(filter: NamedFilter, texts: readonly string[], sql: NameDialect): string {
  const [rows, sides, tokens] = [sql.table('market_rows'), sql.table('market_sides'), sql.table('fill_tokens')];
  const among = (column: string, table: string) =>
    `SELECT ${column} AS name FROM ${table} WHERE ${column} IN (${texts.map(sql.literal).join(', ')})`;
  const [text = ''] = texts.map(lowerCase);
  switch (filter) {
    case 'condition_id':
      return `${among('condition_id', rows)} UNION ALL ${among('condition_id', sides)}`;
    case 'token_id':
      return [among('token', tokens), among('token_a', rows), among('token_b', rows)].join(' UNION ALL ');
    case 'category':
      return `SELECT DISTINCT category AS name FROM ${sides} WHERE category IS NOT NULL ORDER BY name LIMIT ${MOST_NAMES}`;
    case 'event_slug':
      return similarSql(
        { column: 'event_slug', key: sql.eventKey, text },
        `${sql.eventKey} = ${sql.literal(text)}`,
        sql,
      );
    case 'market_slug':
      // It begins with the slug.
      return similarSql({ column: 'slug', key: 'searched', text }, sql.starts('searched', sql.literal(text)), sql);
  }
}

/**
 * SQL for the names that one slip cannot have moved out of reach, as there are too many to give all: their first or their
 * second half is that of the text, or they contain it.
 *
 * @param named The column of the names, one that holds them in lower case, and the text in lower case.
 * @param first SQL for what the name itself is, so that no limit cuts it off.
 */
function similarSql(
  { column, key, text }: { readonly column: string; readonly key: string; readonly text: string },
  first: string,
  sql: NameDialect,
): string {
  const letters = [...text];
  const half = Math.ceil(letters.length / 2);
  const literal = (part: readonly string[]) => sql.literal(part.join(''));
  const near = [
    sql.starts(key, literal(letters.slice(0, half))),
    sql.ends(key, literal(letters.slice(-half))),
    sql.contains(key, literal(letters)),
  ].join(' OR ');
  return (
    `SELECT name FROM (SELECT DISTINCT ${column} AS name, ${first} AS is_first FROM ${sql.table('market_rows')} ` +
    `WHERE ${column} IS NOT NULL AND (${near})) AS names ORDER BY is_first DESC, name LIMIT ${MOST_NAMES}`
  );
}
