import { SourceError } from '../base/errors.js';
import { appendAll } from '../base/many.js';
import { counted } from '../base/texts.js';
import type { FetchFolder } from './fetch-folder.js';
import type { FetchProgress } from './fetch-progress.js';
import { clobFact, conditionOf, gammaFact, idOf, type MarketFact, marketId } from './market-facts.js';
import { RecordFile } from './record-file.js';
import { PRIVATE_GAMMA_FIELDS, recordOf, type SourceRecord } from './records.js';
import type { SourceParams, Sources } from './sources.js';
import { repeats, walkKeyset, walkV2 } from './walk-pages.js';

/** Condition ids in one request to Gamma, whose addresses may not be longer than some 8 KB. */
const GAMMA_CHUNK = 90;
const TOKENS_CHUNK = 50;
const TOKENS_BY_CONDITION = 10;
const RESOLUTIONS_CHUNK = 20;
/** Milliseconds after its close in which a decided market is asked for again, as its result may be disputed. */
const DISPUTABLE_MS = 14 * 86_400_000;

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
  /** What could not be had, and why: each in one sentence, with the conditions that it concerns if they are known. */
  readonly faults: { what: string; why: string; conditions?: readonly string[] }[] = [];

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
    await this.#lookUp('tokens', ids, TOKENS_BY_CONDITION, async (chunk) => {
      const rows = await this.#rowsOf('/v2/tokens', { condition: chunk.join(',') });
      await this.#tokens.add(rows);
      const found = new Set(rows.map(({ value }) => conditionOf(value)));
      // What has no token of its own is a group, which shows where it is asked for alone.
      const [id = ''] = chunk;
      if (chunk.length === 1 && rows.length > 0 && !found.has(idOf(id))) groups.add(idOf(id));
      return found;
    });
    return groups;
  }

  /** Fetches the conditions of tokens. */
  async fetchTokensById(tokens: readonly string[]): Promise<void> {
    await this.#lookUp('tokens', tokens, TOKENS_CHUNK, async (chunk) => {
      const rows = await this.#rowsOf('/v2/tokens', { token_id: chunk.join(',') });
      await this.#tokens.add(rows);
      return new Set(rows.map(({ value }) => idOf(value.token_id)));
    });
  }

  /**
   * Fetches the records of markets; those that are known and were decided some time ago are not asked for again.
   *
   * @param conditions Condition ids, in the order in which their records are written.
   * @returns The conditions of which no source has a record.
   */
  async fetchMarkets(conditions: readonly string[]): Promise<string[]> {
    const before = new Set(this.#decided(Date.now() - DISPUTABLE_MS));
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
    const answered = await this.#askResolutions([...open, ...unknown]);
    const resolved = new Set(this.#resolutions.facts());
    const unclear = open.flatMap((condition) => known.get(idOf(condition)) ?? []).filter(({ hasWinner }) => !hasWinner);
    this.#tellUnclear(
      unclear.filter(({ condition }) => !resolved.has(condition)),
      answered,
    );
    const bare = unknown.filter((condition) => resolved.has(idOf(condition)));
    const named = new Set(this.tokenConditions);
    await this.fetchTokens(bare.filter((condition) => !named.has(idOf(condition))));
    const tokens = new Set(this.tokenConditions);
    return unknown.filter((condition) => !resolved.has(idOf(condition)) || !tokens.has(idOf(condition)));
  }

  /** Tells of closed markets without a clear winner: either the source says that they are not resolved, or nothing. */
  #tellUnclear(markets: readonly MarketFact[], answered: ReadonlySet<string>): void {
    const shown = (some: readonly MarketFact[]) => {
      const names = some.slice(0, 3).map(({ name }) => name);
      return `${counted(some.length, 'market')} closed without a clear winner: ${names.join(', ')}${some.length > 3 ? ', …' : ''}`;
    };
    const isPending = ({ condition, isPending: isTold }: MarketFact) => isTold || answered.has(condition);
    const pending = markets.filter(isPending);
    if (pending.length > 0) this.#folder.pending.push(`${shown(pending)}; not resolved yet, as the source says`);
    const silent = markets.filter((market) => !isPending(market));
    // Where the source failed, that is told already.
    if (silent.length === 0 || this.faults.some(({ what }) => what === 'resolutions')) return;
    const conditions = silent.map(({ condition }) => condition);
    this.faults.push({ what: 'resolutions', why: `${shown(silent)}; the source gives no resolution`, conditions });
  }

  #files() {
    return [this.#markets, this.#clob, this.#tokens, this.#resolutions];
  }

  /** What is known of markets; where both sources have one, Gamma's comes last. */
  #facts(): MarketFact[] {
    return [...this.#clob.facts(), ...this.#markets.facts()];
  }

  /** The conditions whose result is known; of those that Gamma decided, only what closed before a time, if one is given. */
  #decided(closedBefore = Number.POSITIVE_INFINITY): string[] {
    const facts = this.#facts();
    const closed = new Set(facts.filter(({ isClosed }) => isClosed).map(({ condition }) => condition));
    const late = ({ closedAt }: MarketFact) => closedAt >= closedBefore;
    return [
      ...facts.filter((fact) => fact.isDecided && !late(fact)).map(({ condition }) => condition),
      ...this.#resolutions.facts().filter((condition) => closed.has(condition)),
    ];
  }

  async #askGamma(conditions: readonly string[]): Promise<void> {
    const place = new Map(conditions.map((condition, at) => [idOf(condition), at]));
    const order = ({ value }: SourceRecord) => place.get(idOf(value.conditionId)) ?? 0;
    await this.#lookUp('markets', conditions, GAMMA_CHUNK, async (chunk) => {
      // Without the state, closed markets would be left out.
      const both = (await Promise.all([this.#gammaChunk(chunk, true), this.#gammaChunk(chunk, false)])).flat();
      const once = new Map(both.map((record) => [marketId(record.value), record]));
      await this.#markets.add(
        [...once.values()].sort(
          (one, other) => order(one) - order(other) || (marketId(one.value) < marketId(other.value) ? -1 : 1),
        ),
      );
      return new Set(both.map(({ value }) => idOf(value.conditionId)));
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
        appendAll(found, asked);
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

  /** @returns The conditions of which the source tells anything, be it that they are not resolved yet. */
  async #askResolutions(conditions: readonly string[]): Promise<Set<string>> {
    const answered = new Set<string>();
    await this.#lookUp('resolutions', conditions, RESOLUTIONS_CHUNK, async (chunk) => {
      const rows = await this.#rowsOf('/v2/resolutions', { condition: chunk.join(',') });
      await this.#resolutions.add(
        rows.filter(({ value }) => value.status === undefined || value.status === 'resolved'),
      );
      for (const { value } of rows) answered.add(conditionOf(value));
      return answered;
    });
    return answered;
  }

  /** All rows of a list of the Data API v2, whether it is paged or not. */
  async #rowsOf(path: '/v2/tokens' | '/v2/resolutions', params: SourceParams): Promise<SourceRecord[]> {
    const rows: SourceRecord[] = [];
    const walk = { source: 'data', path, params, whole: true } as const;
    for await (const { records } of walkV2(this.#sources, walk)) appendAll(rows, records);
    const shape = path === '/v2/tokens' ? 'v2 tokens' : 'v2 resolutions';
    for (const { value } of rows) this.#folder.drift.count(path, shape, value);
    return rows;
  }

  /**
   * Asks for ids, several at once. Where the source refuses a list, or honours only some of its ids, those that are
   * missing are asked for one by one.
   *
   * @param ask Asks, keeps what comes, and returns the ids that came.
   */
  #lookUp(
    what: string,
    ids: readonly string[],
    size: number,
    ask: (chunk: string[]) => Promise<ReadonlySet<string>>,
  ): Promise<void> {
    return this.#each(what, chunksOf(ids, size), async (chunk) => {
      const isList = chunk.length > 1;
      const given = await ask(chunk).catch((error) => {
        if (isList && error instanceof SourceError && error.details.kind === 'refused') return new Set<string>();
        throw error;
      });
      for (const id of isList ? chunk : []) if (!given.has(idOf(id))) await ask([id]);
    });
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
