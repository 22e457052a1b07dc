import type { Tabular } from './tabular.js';

/** A query from which data came. */
export interface Provenance {
  /** Base address of the service that answered. */
  readonly service: string;
  /** Number of the dataset. */
  readonly dataset: number;
  /** Filters of the query as they were sent. */
  readonly params: Readonly<Record<string, string>>;
  /** When the service answered, ISO 8601 in UTC, even if the answer came from a snapshot. */
  readonly queriedAt: string;
  readonly records: number;
  /** Version of the service's data, if the service states one. */
  readonly dataVersion?: string;
  /**
   * Name, without the path, of the snapshot folder from which the answer was replayed or into which it was recorded.
   */
  readonly snapshot?: string;
  /** SHA-256 of the recorded answer; absent without a snapshot. */
  readonly sha256?: string;
  /**
   * The queries that this entry stands for. Only in frames read from a Parquet or Arrow file, which lists about the
   * first thirty queries one by one and the rest together. `params` are then those that all of them share, `queriedAt`
   * is the time of the last answer, `records` their sum, and this SHA-256 is that of their entries as JSON, each
   * followed by a line feed.
   */
  readonly together?: { readonly queries: number; readonly sha256: string };
}

const known = new WeakMap<object, readonly Provenance[]>();

/**
 * Where a frame's rows come from: the queries that they were answers to, also after our verbs and danfo's selecting
 * methods. `frame.provenance` is the same. Empty for frames of your own making.
 *
 * @example provenanceOf(pnl)[0]?.queriedAt; // '2026-11-21T09:30:00.000Z'
 */
export function provenanceOf(frame: Tabular): readonly Provenance[] {
  return known.get(frame) ?? [];
}

/** Sets the provenance of a frame's rows. */
export function setProvenance(frame: Tabular, provenance: readonly Provenance[]): void {
  if (provenance.length > 0) known.set(frame, provenance);
}

/** Adds the provenance of other frames to a frame that was made of them, each query once. */
export function inheritProvenance(from: readonly Tabular[], to: Tabular): void {
  setProvenance(to, [...new Set([...provenanceOf(to), ...from.flatMap(provenanceOf)])]);
}
