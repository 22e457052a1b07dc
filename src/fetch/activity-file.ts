import { jsonIn } from '../base/texts.js';
import type { PageFile, PageState, PageStep } from './page-file.js';
import { type SourceRecord, timeless, timeOf } from './records.js';
import { repeats } from './walk-pages.js';

type Fields = SourceRecord['value'];

/** Movements of money in and out of a wallet: private, and no trades. */
const NOT_KEPT: ReadonlySet<unknown> = new Set(['DEPOSIT', 'WITHDRAWAL', 'TIP']);

/** Records that are copied in one write. */
const COPIED_AT_ONCE = 1000;

/** When a wallet was active in a market, in Unix seconds. */
export interface ActiveTime {
  readonly first: number;
  readonly last: number;
}

/** What the records of a wallet's activity name: whatever else must be fetched for them. */
export interface ActivityNames {
  /** The condition ids in order of appearance, lower case. */
  readonly conditions: Map<string, ActiveTime>;
  /** Those that were converted or migrated: the tokens that came of it must be asked for. */
  readonly moved: Set<string>;
  /** Those that were converted: their event's other markets got shares. */
  readonly converted: Set<string>;
  /** Tokens of records that name no condition. */
  readonly tokens: Set<string>;
  /** Whether a record belongs to a combination of markets. */
  combos: boolean;
}

/** The file of a wallet's activity, in order of time, in the spelling of either version of the Data API. */
export class ActivityFile {
  readonly #file: PageFile;
  readonly #wallet: string;
  readonly names: ActivityNames = {
    conditions: new Map(),
    moved: new Set(),
    converted: new Set(),
    tokens: new Set(),
    combos: false,
  };
  /** Records that the file holds already and the source will give again, with their number. */
  #expected = new Map<string, number>();
  #expectedRows = 0;
  #begins: Pick<PageState, 'start' | 'rows' | 'bytes' | 'time'> = { start: null, rows: 0, bytes: 0, time: null };
  #reached = 0;
  #given: number | null = null;
  #lost = 0;

  private constructor(file: PageFile, wallet: string) {
    this.#file = file;
    this.#wallet = wallet;
  }

  /** Reads what the file names already. */
  static async over(file: PageFile, wallet: string): Promise<ActivityFile> {
    const activity = new ActivityFile(file, wallet);
    for await (const line of file.lines()) activity.#note(fieldsIn(line));
    return activity;
  }

  get state() {
    return this.#file.state;
  }

  /** Number of records that the walk should have given again, but did not: they changed or vanished at the source. */
  get vanished(): number {
    return this.#lost + this.#expectedRows;
  }

  /** Unix seconds that the present walk has reached. */
  get reached(): number {
    return this.#reached;
  }

  /** Unix seconds of the last record that the present walk was given; null if none was. */
  get given(): number | null {
    return this.#given;
  }

  /** Unix seconds at which the present walk began; null for one that goes on by its cursor. */
  get begun(): number | null {
    return this.#begins.start;
  }

  /** Begins a walk from a moment on: what the file holds since then is not written again. */
  async begin(start: number): Promise<void> {
    this.#expect([]);
    this.#begins = { start, ...(await this.advance(start)) };
    this.#lost = 0;
    this.#given = null;
  }

  /**
   * Goes on with a walk from a later moment on.
   *
   * @returns Where the file's records of before that moment end.
   */
  async advance(start: number): Promise<Pick<PageState, 'rows' | 'bytes' | 'time'>> {
    const passed = [...this.#expected].filter(([key]) => timeInKey(key) < start);
    this.#lost += passed.reduce((sum, [, count]) => sum + count, 0);
    const keys: string[] = [];
    let { rows, bytes } = this.#file.state;
    let time: number | null = null;
    for await (const line of this.#file.linesFromEnd()) {
      const fields = fieldsIn(line);
      if (timeOf(fields) < start) {
        time = timeOf(fields);
        break;
      }
      keys.push(keyOf(fields));
      rows--;
      bytes -= Buffer.byteLength(line) + 1;
    }
    this.#expect(keys);
    this.#reached = start;
    return { rows, bytes, time };
  }

  /** Goes on with a walk by its cursor, where nothing is given again. */
  resume(): void {
    this.#given = this.#file.state.time;
    this.#reached = this.#given ?? 0;
  }

  /** Cuts the file back to an earlier end. */
  async rewind(earlier: Pick<PageState, 'rows' | 'bytes' | 'time'>): Promise<void> {
    await this.#file.rewind(earlier);
    this.#expect([]);
  }

  /** Replaces what the file holds since the beginning of the present walk by the records of another file. */
  async replaceBy(other: ActivityFile): Promise<void> {
    const { start } = this.#begins;
    await this.rewind(this.#begins);
    const lines: string[] = [];
    for await (const line of other.#file.lines()) {
      this.#note(fieldsIn(line));
      lines.push(line);
      if (lines.length === COPIED_AT_ONCE) await this.#file.append(lines.splice(0));
    }
    await this.#file.append(lines);
    const { time } = other.state;
    await this.settle({ start, cursor: null, ended: true, ...(time === null ? {} : { time }) });
  }

  /**
   * Counts the records of a page that are of the last second of the present walk, but were not given by it.
   *
   * @param page Records in any order.
   */
  async countMissed(page: readonly SourceRecord[]): Promise<number> {
    const second = this.#given ?? 0;
    const had = new Map([...this.#expected].map(([key, count]) => [key, -count]));
    for await (const line of this.#file.linesFromEnd()) {
      const fields = fieldsIn(line);
      if (timeOf(fields) < second) break;
      const key = keyOf(fields);
      had.set(key, (had.get(key) ?? 0) + 1);
    }
    let missed = 0;
    for (const { value } of page) {
      if (timeOf(value) !== second || NOT_KEPT.has(value.type)) continue;
      const key = keyOf(value);
      const left = (had.get(key) ?? 0) - 1;
      had.set(key, left);
      if (left < 0) missed++;
    }
    return missed;
  }

  /** The number of records that the file holds of the last second of the present walk. */
  async rowsOfLastSecond(): Promise<number> {
    let rows = 0;
    for await (const line of this.#file.linesFromEnd()) {
      if (timeOf(fieldsIn(line)) < (this.#given ?? 0)) break;
      rows++;
    }
    return rows;
  }

  /**
   * Appends what is new of a page.
   *
   * @returns The number of new records.
   * @throws {SourceError} If the page shows that the source ignores a parameter: another wallet's records, or records
   *   that go back in time. Nothing of it is then written.
   */
  async take(page: readonly SourceRecord[], place: string, step: PageStep): Promise<number> {
    let reached = this.#reached;
    for (const { value } of page) {
      const time = timeOf(value);
      if (!(time >= reached))
        throw Number.isNaN(time) ? timeless(place) : repeats(place, 'records that go back in time');
      reached = time;
      const owner = value.proxy_wallet ?? value.proxyWallet ?? '';
      if (owner !== '' && String(owner).toLowerCase() !== this.#wallet)
        throw repeats(place, "another wallet's records");
    }
    const fresh: string[] = [];
    for (const { value, text } of page) {
      if (NOT_KEPT.has(value.type) || this.#isExpected(value)) continue;
      this.#note(value);
      fresh.push(text);
    }
    this.#reached = reached;
    if (page.length > 0) this.#given = reached;
    const time = page.length === 0 ? this.#file.state.time : Math.max(reached, this.#file.state.time ?? 0);
    await this.#file.append(fresh, { time, ...step });
    return fresh.length;
  }

  /** Notes that the walk ended, or that its cursor is not to be used again. */
  async settle(step: PageStep): Promise<void> {
    await this.#file.append([], step);
    await this.#file.flush();
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #expect(keys: readonly string[]): void {
    this.#expected = new Map();
    for (const key of keys) this.#expected.set(key, (this.#expected.get(key) ?? 0) + 1);
    this.#expectedRows = keys.length;
  }

  #isExpected(fields: Fields): boolean {
    if (this.#expectedRows === 0) return false;
    const key = keyOf(fields);
    const count = this.#expected.get(key) ?? 0;
    if (count === 0) return false;
    this.#expected.set(key, count - 1);
    this.#expectedRows--;
    return true;
  }

  #note(fields: Fields): void {
    const { conditions, moved, converted, tokens } = this.names;
    const condition = String(fields.condition_id ?? fields.conditionId ?? '').toLowerCase();
    const token = String(fields.token_id ?? fields.asset ?? '');
    const time = timeOf(fields);
    if (fields.is_combo === true || fields.isCombo === true) this.names.combos = true;
    if (condition === '') {
      if (fields.type === 'TRADE' && token !== '') tokens.add(token);
      return;
    }
    conditions.set(condition, { first: conditions.get(condition)?.first ?? time, last: time });
    if (fields.type === 'CONVERSION') converted.add(condition);
    if (fields.type === 'CONVERSION' || fields.type === 'MIGRATION') moved.add(condition);
  }
}

function fieldsIn(line: string): Fields {
  return (jsonIn(line) ?? {}) as Fields;
}

function timeInKey(key: string): number {
  return Number.parseInt(key.slice(1), 10);
}

/** What makes two records the same; titles and icons may change. Equal records of one moment are counted. */
function keyOf(fields: Fields): string {
  return JSON.stringify([
    timeOf(fields),
    fields.type,
    fields.transaction_hash ?? fields.transactionHash,
    String(fields.condition_id ?? fields.conditionId ?? '').toLowerCase(),
    fields.token_id ?? fields.asset,
    fields.side,
    Number(fields.size),
    Number(fields.usdc_size ?? fields.usdcSize),
    Number(fields.price),
    fields.outcome_index ?? fields.outcomeIndex,
  ]);
}
