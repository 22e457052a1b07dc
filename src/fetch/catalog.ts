import { SourceError } from '../base/errors.js';
import { FetchFolder, type FetchManifest, type FetchOptions } from './fetch-folder.js';
import { FetchProgress } from './fetch-progress.js';
import type { PageStep } from './page-file.js';
import { RecordFile } from './record-file.js';
import { PRIVATE_GAMMA_FIELDS, type SourceRecord } from './records.js';
import { refusesCursor } from './refusals.js';
import type { SourceParams } from './sources.js';
import { walkKeyset } from './walk-pages.js';

/** What a fetch of all markets or all events did. */
export interface CatalogFetch {
  readonly folder: string;
  readonly manifest: FetchManifest;
  /** Records that are new since the run before, or have changed. */
  readonly fresh: number;
}

/** What is known of a record. */
interface Fact {
  readonly id: string;
  readonly isOpen: boolean;
}

/** Records a page, and ids a request. */
const PAGE = 100;
/** Markets that there are, more or less: for an estimate of the time. */
const MARKETS = 1_500_000;
/** Closed markets whose end date is this long before the run before are taken to have been closed then, in seconds. */
const LATE = 7 * 86_400;

/** What the first fetch of a catalog takes, in a sentence. */
export function catalogEstimate(kind: 'markets' | 'events'): string {
  const pages =
    kind === 'markets' ? 'Some 15,000 pages of 100 markets, about an hour' : 'Some thousands of pages of 100 events';
  return `${pages}. It can be broken off: the same command then continues, and a later run asks only for what may be new.`;
}

/**
 * Fetches the records of all markets, or of all events with their markets: the open ones, then the closed ones. A later
 * run asks for the open ones again, for those that are open no longer, and for closed ones that ended since.
 *
 * @throws {SourceError} If the source gives nothing at all.
 * @throws {DataError} If the folder cannot be written, or holds another fetch.
 */
export async function fetchCatalog(kind: 'markets' | 'events', options: FetchOptions): Promise<CatalogFetch> {
  const folder = await FetchFolder.open(options.out, kind, kind, 'all');
  const idOf = ({ id }: SourceRecord['value']) => String(id);
  const file = new RecordFile<Fact>(folder.path, kind, `/${kind}/keyset`, idOf, (value) => ({
    id: idOf(value),
    isOpen: value.closed !== true,
  }));
  try {
    await file.load();
    const catalog = new Catalog(kind, options, folder, file);
    await catalog.walk().catch((error) => {
      if (!(error instanceof SourceError) || file.rows === 0) throw error;
      folder.miss(kind, error.message, file.state?.start ?? null);
    });
    const { ended = false, start = null, time = null } = file.state ?? {};
    const manifest = await folder.finish(ended ? time : start, { [kind]: file.rows });
    return { folder: folder.path, manifest, fresh: catalog.fresh };
  } finally {
    await file.close();
    await folder.close({ empty: file.rows === 0 });
  }
}

/** The steps of a walk, in their order. A record that is closed between them is in the later one, too. */
const STEPS = ['open', 'gone', 'closed'] as const;

/**
 * One walk through all records. In its file's state, `time` is when it began, `start` when the last one began that came
 * to its end, and `cursor` its step with the source's cursor.
 */
class Catalog {
  readonly #kind: 'markets' | 'events';
  readonly #options: FetchOptions;
  readonly #folder: FetchFolder;
  readonly #file: RecordFile<Fact>;
  readonly #progress: FetchProgress;
  fresh = 0;

  constructor(kind: 'markets' | 'events', options: FetchOptions, folder: FetchFolder, file: RecordFile<Fact>) {
    this.#kind = kind;
    this.#options = options;
    this.#folder = folder;
    this.#file = file;
    this.#progress = new FetchProgress(`all ${kind}`, options.onProgress);
  }

  async walk(): Promise<void> {
    const { ended = true, time = null, cursor = null } = this.#file.state ?? {};
    const [step, at] = ended || cursor === null ? ['open', ''] : cursor.split(' ');
    if (ended) this.#begin = { start: time, time: Math.floor(Date.now() / 1000) };
    const since = ended ? time : (this.#file.state?.start ?? null);
    const wasOpen = this.#file.facts().filter(({ isOpen }) => isOpen);
    const stillOpen = new Set<string>();
    for (const each of STEPS.slice(STEPS.indexOf(step as (typeof STEPS)[number]))) {
      this.#progress.begin(each === 'gone' ? `${this.#kind} no longer open` : `${each} ${this.#kind}`);
      const from = each === step && at ? at : undefined;
      if (each === 'open') await this.#list(each, { closed: false }, from, (id) => stillOpen.add(id));
      else if (each === 'closed') {
        const end_date_min = since === null ? undefined : new Date((since - LATE) * 1000).toISOString();
        await this.#list(each, { closed: true, end_date_min }, from);
      } else if (since !== null) await this.#gone(wasOpen.map(({ id }) => id).filter((id) => !stillOpen.has(id)));
    }
    await this.#add([], { cursor: null, ended: true });
  }

  /** What the file is to note of a new walk, with its first page. */
  #begin: PageStep = {};

  async #add(records: readonly SourceRecord[], step: PageStep): Promise<void> {
    const { drift } = this.#folder;
    const shape = this.#kind === 'markets' ? 'gamma market' : 'gamma event';
    for (const { value } of records) drift.count(`/${this.#kind}/keyset`, shape, value);
    const fresh = await this.#file.add(records, { ended: false, ...this.#begin, ...step });
    this.#begin = {};
    this.fresh += fresh;
    const isFirst = (this.#file.state?.start ?? null) === null && this.#kind === 'markets';
    this.#progress.page(records.length, isFirst ? { share: Math.min(0.99, this.#file.rows / MARKETS) } : {});
  }

  /** Walks through the records of one state. A cursor that the source refuses is left: what is there is not added again. */
  async #list(
    step: string,
    params: SourceParams,
    cursor: string | undefined,
    see?: (id: string) => void,
  ): Promise<void> {
    const path = `/${this.#kind}/keyset`;
    const walk = { source: 'gamma', path, dropped: PRIVATE_GAMMA_FIELDS, cursor } as const;
    try {
      for await (const { records, next } of walkKeyset(this.#options.sources, this.#kind, {
        ...walk,
        params: { ...params, limit: PAGE },
      })) {
        if (see) for (const { value } of records) see(String(value.id));
        // Between two steps, the next one is noted with its first page.
        await this.#add(records, next === undefined ? {} : { cursor: `${step} ${next}` });
      }
    } catch (error) {
      // A cursor that leads in circles is not used again: another run begins the step anew.
      if (error instanceof SourceError && error.details.kind === 'repeats') await this.#add([], { cursor: `${step} ` });
      if (!refusesCursor(error) || cursor === undefined) throw error;
      await this.#list(step, params, undefined, see);
    }
  }

  /** Asks for the records that are open no longer, by their ids. */
  async #gone(ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += PAGE) {
      await this.#list('gone', { closed: true, id: ids.slice(at, at + PAGE) }, undefined);
    }
  }
}
