import { basename, resolve } from 'node:path';
import { AnswerError, UsageError } from '../../base/errors.js';
import { versionOf } from '../../base/packages.js';
import { readNotes } from '../../contract/answer-notes.js';
import type { Origin, Page, PageSource, Series, SeriesRequest } from '../paging/page-source.js';
import { hideKey, type KeyHider } from '../transport/server-text.js';
import { AnswerWriter, type WrittenAnswer } from './answer-writer.js';
import { enterAnswer } from './enter-answer.js';
import { findEntry, missingQuery, presentManifest } from './find-entry.js';
import { readRecorded } from './read-recorded.js';
import { arrayOfLines, recordLines } from './record-lines.js';
import { canonicalParams, type RecordedQuery } from './recorded-query.js';
import { inOrder, type SnapshotEntry } from './snapshot-manifest.js';
import type { SnapshotOptions } from './snapshot-options.js';

/**
 * Puts a snapshot in front of a service. While recording, it hands on exactly the records, byte for byte, that a replay
 * will hand on. An answer is recorded only if its series is read to the end.
 *
 * @param inner The service's own pages; undefined if there is no service, as in a replay.
 * @param hide Finds the API key, which must not be recorded. Default: no key is sent.
 * @throws {AnswerError} On reading: if the service repeats the API key in its records, so that they cannot be recorded.
 * @throws {DataError} On reading: if the snapshot lacks the query and may not ask, or cannot be read or written.
 */
export function snapshotPages(
  inner: PageSource | undefined,
  { folder, mode }: SnapshotOptions,
  hide: Pick<KeyHider, 'isIn'> = hideKey(undefined),
): PageSource {
  if (inner === undefined && mode !== 'replay') {
    throw new UsageError(`A snapshot in mode '${mode}' needs a service to ask; only 'replay' does without.`);
  }
  if (mode === 'live' && inner) return inner;
  return (request) => {
    let entry: SnapshotEntry | undefined;
    async function* pages(): AsyncGenerator<Page> {
      const query = queryOf(request);
      const manifest = mode === 'record' ? undefined : await presentManifest(folder);
      entry = manifest && findEntry(manifest, query);
      if (entry && request.window) request.window.mayDiffer = true;
      if (entry) yield* replayPages(folder, entry, request);
      else if (manifest && (mode === 'replay' || !inner)) throw missingQuery(folder, manifest, query);
      else if (inner) entry = yield* recordPages(folder, inner(request), request, hide);
    }
    return { pages: pages(), origin: () => originOf(folder, entry) };
  };
}

function queryOf({ dataset, params, maxRecords }: SeriesRequest): RecordedQuery {
  return { dataset: dataset.id, params: canonicalParams(dataset.id, params), maxRecords };
}

function originOf(folder: string, entry: SnapshotEntry | undefined): Origin {
  if (!entry) throw new UsageError('Where a series came from is known once its pages have been read.');
  const { service, recordedAt: queriedAt, dataVersion, sha256 } = entry;
  return {
    service,
    queriedAt,
    ...(dataVersion === undefined ? {} : { dataVersion }),
    ...readNotes(entry),
    snapshot: basename(resolve(folder)),
    sha256,
  };
}

/** Hands on a service's pages and records them. */
async function* recordPages(
  folder: string,
  series: Series,
  request: SeriesRequest,
  hide: Pick<KeyHider, 'isIn'>,
): AsyncGenerator<Page, SnapshotEntry> {
  const most = request.maxRecords ?? Number.POSITIVE_INFINITY;
  // Only once the service has answered, so that a refused query leaves no folder behind.
  let writer: AnswerWriter | undefined;
  let records = 0;
  try {
    for await (const page of series.pages) {
      const lines = recordLines(page.results, most - records);
      if (hide.isIn(lines.text) || hide.isIn(Buffer.from(JSON.stringify(readNotes(page))))) refuseKey(request, page);
      writer ??= await AnswerWriter.open(folder);
      await writer.write(lines);
      records += lines.records;
      yield { ...page, results: arrayOfLines(lines) };
    }
    writer ??= await AnswerWriter.open(folder);
    const answer = await writer.finish();
    const entry = entryOf(request, series.origin(), answer);
    await enterAnswer(folder, { entry, path: answer.path });
    return entry;
  } finally {
    await writer?.discard();
  }
}

function refuseKey({ dataset }: SeriesRequest, { offset }: Page): never {
  throw new AnswerError(
    `Dataset ${dataset.id}, offset ${offset}: the service repeats your API key in its records, so that they cannot be ` +
      'recorded: a snapshot holds no key. Nothing was recorded. Query without a snapshot, and tell whoever runs the service.',
  );
}

function entryOf({ dataset, params, maxRecords }: SeriesRequest, origin: Origin, answer: WrittenAnswer): SnapshotEntry {
  const { records, bytes, sha256 } = answer;
  return inOrder({
    dataset: dataset.id,
    name: dataset.name,
    params,
    // An answer with fewer records than requested is complete.
    maxRecords: maxRecords !== undefined && records < maxRecords ? undefined : maxRecords,
    records,
    bytes,
    sha256,
    recordedAt: origin.queriedAt,
    service: withoutSecrets(origin.service),
    dataVersion: origin.dataVersion,
    ...readNotes(origin),
    oddslab: versionOf('oddslab'),
  });
}

/** An address without user, password or query, any of which may hold a key. */
function withoutSecrets(service: string): string {
  if (!URL.canParse(service)) return '';
  const { origin, pathname } = new URL(service);
  return origin + pathname.replace(/\/+$/, '');
}

/**
 * Reads a recorded answer as the pages of a service. One that holds more than was asked for is cut, but read to its end,
 * so that damage is thrown before the last page.
 */
async function* replayPages(
  folder: string,
  entry: SnapshotEntry,
  { maxRecords, signal }: Pick<SeriesRequest, 'maxRecords' | 'signal'>,
): AsyncGenerator<Page> {
  const wanted = Math.min(entry.records, maxRecords ?? entry.records);
  let held: Page | undefined;
  let offset = 0;
  for await (const lines of readRecorded(folder, entry)) {
    signal?.throwIfAborted();
    if (offset === wanted) continue;
    if (held) yield held;
    const results = arrayOfLines(lines);
    const room = wanted - offset;
    const records = Math.min(room, lines.records);
    held = {
      limit: records,
      offset,
      hasMore: offset + records < wanted,
      results: records < lines.records ? arrayOfLines(recordLines(results, room)) : results,
    };
    offset += records;
  }
  yield held ?? { limit: 0, offset: 0, hasMore: false, results: arrayOfLines({ text: Buffer.alloc(0), records: 0 }) };
}
