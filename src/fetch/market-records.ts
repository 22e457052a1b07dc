import { SourceError } from '../base/errors.js';
import { fieldOf } from '../base/texts.js';
import type { FetchFolder } from './fetch-folder.js';
import type { FetchProgress } from './fetch-progress.js';
import { clobFact, conditionOf, gammaFact, idOf, type MarketFact, marketId } from './market-facts.js';
import { RecordFile } from './record-file.js';
import { PRIVATE_FIELDS, PRIVATE_GAMMA_FIELDS, recordOf, recordsOf, type SourceRecord } from './records.js';
import type { SourceParams, Sources } from './sources.js';
import { repeats, walkKeyset, walkPages } from './walk-pages.js';

/** Condition ids in one request to Gamma, whose addresses may not be longer than some 8 KB. */
const GAMMA_CHUNK = 90;
const TOKENS_CHUNK = 50;
const CONDITIONS_CHUNK = 10;
const RESOLUTIONS_CHUNK = 20;

/**
 * The records of markets in the folder of a fetch: from Gamma, from the CLOB what Gamma lacks, resolutions of what
 * neither settles, and tokens of what was converted or migrated.
 */
export class MarketRecords {
  readonly #sources: Sources;
  readonly #folder: FetchFolder;
  readonly #progress: FetchProgress;
  readonly #markets: RecordFile<MarketFact>;
  readonly #clob: RecordFile<MarketFact>;
  readonly #tokens: RecordFile<string>;
  readonly #resolutions: RecordFile<string>;
  /** What could not be asked, and why: each in one sentence. */
  readonly faults: { what: string; why: string }[] = [];

  constructor(sources: Sources, folder: FetchFolder, progress: FetchProgress) {
    this.#sources = sources;
    this.#folder = folder;
    this.#progress = progress;
    const { path } = folder;
    this.#markets = new RecordFile(path, 'markets', '/markets/keyset', marketId, gammaFact);
    this.#clob = new RecordFile(path, 'clob-markets', '/markets', conditionOf, clobFact);
    this.#tokens = new RecordFile(path, 'tokens', '/v2/tokens', ({ token_id }) => String(token_id), conditionOf);
    this.#resolutions = new RecordFile(path, 'resolutions', '/v2/resolutions', conditionOf, conditionOf);
  }

  /** Reads what the folder holds. */
  async load(): Promise<void> {
    for (const file of this.#files()) await file.load();
  }

  async close(): Promise<void> {
    for (const file of this.#files()) await file.close();
  }

  /** Number of records in each file that there is. */
  get rows(): Record<string, number> {
    const { rows: markets } = this.#markets;
    const others = { 'clob-markets': this.#clob.rows, tokens: this.#tokens.rows, resolutions: this.#resolutions.rows };
    return { markets, ...Object.fromEntries(Object.entries(others).filter(([, rows]) => rows > 0)) };
  }

  /** The condition ids of all tokens in the folder. */
  get tokenConditions(): string[] {
    return this.#tokens.facts();
  }

  /** Ids of the groups of exclusive markets that these conditions belong to, by their markets' records. */
  groupsOf(conditions: ReadonlySet<string>): string[] {
    const known = [...this.#markets.facts(), ...this.#clob.facts()];
    return [
      ...new Set(
        known.filter(({ condition, group }) => group !== '' && conditions.has(condition)).map(({ group }) => group),
      ),
    ];
  }

  /**
   * Fetches the tokens of conditions, or of groups of exclusive markets: all of the group's, or of a migrated
   * condition those of before and after.
   *
   * @returns The ids that are not conditions of a market themselves, but groups of them.
   */
  async fetchTokens(ids: readonly string[]): Promise<Set<string>> {
    const groups = new Set<string>();
    const known = new Set(this.tokenConditions);
    await this.#each('tokens', chunksOf(ids, CONDITIONS_CHUNK), async (chunk) => {
      await this.#tokens.add(await this.#rowsOf('/v2/tokens', { condition: chunk.join(',') }));
      for (const condition of this.#tokens.facts()) known.add(condition);
    });
    // Those without a token of their own are groups, or were ignored in a request for several.
    const others = ids.filter((id) => !known.has(idOf(id)));
    await this.#each(
      'tokens',
      others.map((id) => [id]),
      async ([id = '']) => {
        const rows = await this.#rowsOf('/v2/tokens', { condition: id });
        await this.#tokens.add(rows);
        if (rows.length > 0 && !rows.some(({ value }) => conditionOf(value) === idOf(id))) groups.add(idOf(id));
      },
    );
    return groups;
  }

  /** Fetches the conditions of tokens. */
  async fetchTokensById(tokens: readonly string[]): Promise<void> {
    await this.#each('tokens', chunksOf(tokens, TOKENS_CHUNK), async (chunk) => {
      await this.#tokens.add(await this.#rowsOf('/v2/tokens', { token_id: chunk.join(',') }));
    });
  }

  /**
   * Fetches the records of markets; those that are known and decided are not asked for again.
   *
   * @param conditions Condition ids, in the order in which their records are written.
   * @returns The conditions of which no source has a record.
   */
  async fetchMarkets(conditions: readonly string[]): Promise<string[]> {
    const before = new Set(this.#decided());
    // Sources may know only one of two forms of an id, so they are asked in the form in which it came.
    const forms = new Map(conditions.map((condition) => [idOf(condition), condition]));
    const asked = [...forms].filter(([id]) => !before.has(id)).map(([, condition]) => condition);
    await this.#askGamma(asked);
    const inGamma = new Set(this.#markets.facts().map(({ condition }) => condition));
    await this.#askClob(asked.filter((condition) => !inGamma.has(idOf(condition))));
    const known = new Map(this.#facts().map((fact) => [fact.condition, fact]));
    const unknown = asked.filter((condition) => !known.has(idOf(condition)));
    const decided = new Set(this.#decided());
    const open = asked.filter((condition) => known.get(idOf(condition))?.isClosed && !decided.has(idOf(condition)));
    await this.#askResolutions([...open, ...unknown]);
    const resolved = new Set(this.#resolutions.facts());
    const bare = unknown.filter((condition) => resolved.has(idOf(condition)));
    const named = new Set(this.tokenConditions);
    await this.fetchTokens(bare.filter((condition) => !named.has(idOf(condition))));
    const tokens = new Set(this.tokenConditions);
    return unknown.filter((condition) => !resolved.has(idOf(condition)) || !tokens.has(idOf(condition)));
  }

  #files() {
    return [this.#markets, this.#clob, this.#tokens, this.#resolutions];
  }

  /** What is known of markets; where both sources have one, Gamma's comes last. */
  #facts(): MarketFact[] {
    return [...this.#clob.facts(), ...this.#markets.facts()];
  }

  /** The conditions whose result is known. */
  #decided(): string[] {
    const closed = new Set(
      this.#facts()
        .filter(({ isClosed }) => isClosed)
        .map(({ condition }) => condition),
    );
    const resolved = this.#resolutions.facts().filter((condition) => closed.has(condition));
    return [
      ...this.#facts()
        .filter(({ isDecided }) => isDecided)
        .map(({ condition }) => condition),
      ...resolved,
    ];
  }

  async #askGamma(conditions: readonly string[]): Promise<void> {
    const place = new Map(conditions.map((condition, at) => [idOf(condition), at]));
    const order = ({ value }: SourceRecord) => place.get(idOf(value.conditionId)) ?? 0;
    await this.#each('markets', chunksOf(conditions, GAMMA_CHUNK), async (chunk) => {
      // Without the state, closed markets would be left out.
      const both = await Promise.all([this.#gammaChunk(chunk, true), this.#gammaChunk(chunk, false)]);
      const once = new Map(both.flat().map((record) => [marketId(record.value), record]));
      await this.#markets.add(
        [...once.values()].sort(
          (one, other) => order(one) - order(other) || (marketId(one.value) < marketId(other.value) ? -1 : 1),
        ),
      );
    });
  }

  async #gammaChunk(chunk: readonly string[], closed: boolean): Promise<SourceRecord[]> {
    const found: SourceRecord[] = [];
    const wanted = new Set(chunk.map(idOf));
    const params = { condition_ids: chunk, closed, limit: 100 };
    try {
      const walk = { source: 'gamma', path: '/markets/keyset', params, dropped: PRIVATE_GAMMA_FIELDS } as const;
      for await (const { records, place } of walkKeyset(this.#sources, 'markets', walk)) {
        const asked = records.filter(({ value }) => wanted.has(idOf(value.conditionId)));
        if (asked.length === 0 && records.length > 0) throw repeats(place, 'markets that were not asked for');
        for (const { value } of asked) this.#folder.drift.count('/markets/keyset', 'gamma market', value);
        found.push(...asked);
      }
      return found;
    } catch (error) {
      const isTooLong = error instanceof SourceError && error.details.status === 414;
      if (!isTooLong || chunk.length === 1) throw error;
      const half = Math.ceil(chunk.length / 2);
      return [
        ...(await this.#gammaChunk(chunk.slice(0, half), closed)),
        ...(await this.#gammaChunk(chunk.slice(half), closed)),
      ];
    }
  }

  async #askClob(conditions: readonly string[]): Promise<void> {
    await this.#each('clob-markets', chunksOf(conditions, 4), async (chunk) => {
      const found = await Promise.all(chunk.map((condition) => this.#clobMarket(condition)));
      await this.#clob.add(found.flat());
    });
  }

  async #clobMarket(condition: string): Promise<SourceRecord[]> {
    try {
      const answer = await this.#sources.get('clob', `/markets/${condition}`);
      const record = recordOf(answer, PRIVATE_GAMMA_FIELDS);
      this.#folder.drift.count('/markets', 'clob market', record.value);
      return idOf(record.value.condition_id) === idOf(condition) ? [record] : [];
    } catch (error) {
      if (error instanceof SourceError && error.details.status === 404) return [];
      throw error;
    }
  }

  async #askResolutions(conditions: readonly string[]): Promise<void> {
    await this.#each('resolutions', chunksOf(conditions, RESOLUTIONS_CHUNK), async (chunk) => {
      const rows = await this.#rowsOf('/v2/resolutions', { condition: chunk.join(',') });
      await this.#resolutions.add(
        rows.filter(({ value }) => value.status === undefined || value.status === 'resolved'),
      );
    });
  }

  /** All rows of a list of the Data API v2, whether it is paged or not. */
  async #rowsOf(path: '/v2/tokens' | '/v2/resolutions', params: SourceParams): Promise<SourceRecord[]> {
    const rows: SourceRecord[] = [];
    const ask = async (cursor?: string) => {
      const answer = await this.#sources.get('data', path, { ...params, cursor });
      const next = fieldOf(fieldOf(answer.json, 'pagination'), 'next_cursor');
      return {
        records: recordsOf(answer, 'data', PRIVATE_FIELDS),
        next: typeof next === 'string' && next ? next : undefined,
        place: answer.place,
      };
    };
    for await (const { records } of walkPages(ask)) rows.push(...records);
    const shape = path === '/v2/tokens' ? 'v2 tokens' : 'v2 resolutions';
    for (const { value } of rows) this.#folder.drift.count(path, shape, value);
    return rows;
  }

  /** Does the parts of a step one after the other. If a source fails, the rest of the step is left and noted. */
  async #each(what: string, parts: readonly string[][], work: (part: string[]) => Promise<void>): Promise<void> {
    if (parts.length === 0) return;
    this.#progress.begin(what);
    for (const [at, part] of parts.entries()) {
      try {
        await work(part);
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        this.faults.push({ what, why: error.message });
        return;
      }
      this.#progress.page(part.length, { share: (at + 1) / parts.length });
    }
  }
}

function chunksOf(items: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
