import type { AnswerNotes } from '../../contract/answer-notes.js';
import { findDataset } from '../../contract/dataset.js';
import type { Tabular } from './tabular.js';

/** A query from which data came. */
export interface Provenance extends AnswerNotes {
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
   * is the time of the last answer, `records` their sum, `completeness` that of incomplete records alone, and this SHA-256 is that of their entries as JSON, each
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

/**
 * The snapshots that a frame's rows come from, in a few words; empty for other rows. The address of a live service and
 * the time of its answer are not shown (`frame.provenance` has them), so that a notebook run twice gives the same
 * bytes.
 *
 * @example provenanceLine(pnl); // 'pnl from snapshot 2026-11, 2026-11-21 09:30 UTC'
 */
export function provenanceLine(frame: Tabular): string {
  const sources = provenanceOf(frame).filter(({ snapshot }) => snapshot !== undefined);
  const places = [...new Set(sources.map(({ snapshot }) => `snapshot ${snapshot}`))];
  const names = [...new Set(sources.map(nameOf))];
  const times = sources.map(({ queriedAt }) => minuteOf(queriedAt)).sort();
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return '';
  const many = sources.reduce((sum, { together }) => sum + (together?.queries ?? 1), 0);
  const queries = many > 1 ? ` (${many} queries)` : '';
  const time = first === last ? first : `${first} to ${last}`;
  return `${names.join(', ')} from ${places.join(' and ')}${queries}, ${time} UTC`;
}

function nameOf({ dataset }: Provenance): string {
  return findDataset(dataset)?.name ?? `dataset ${dataset}`;
}

function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
