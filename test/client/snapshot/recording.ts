import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page, PageSource, SeriesRequest } from '../../../src/client/paging/page-source.js';
import { findDataset } from '../../../src/contract/dataset.js';
import { ask } from '../../support/serve-folder.js';

/** A dataset of unknown shape. */
const unknown = (id: number) => ({ id, name: String(id), title: '', key: [], order: '', columns: [], parameters: [] });

/** A series of a dataset, known or not. */
export function series(id: number, params: Record<string, string> = {}, more: Partial<SeriesRequest> = {}) {
  return { dataset: findDataset(id) ?? unknown(id), params, ...more };
}

/** A minimal source of the pages of a running service. */
export function pagesOf(url: string, pageSize = 7): PageSource {
  return ({ dataset, params, maxRecords = Number.POSITIVE_INFINITY }) => {
    let queriedAt = '';
    async function* pages(): AsyncGenerator<Page> {
      for (let offset = 0, hasMore = true; hasMore && offset < maxRecords; ) {
        const limit = Math.min(pageSize, maxRecords - offset);
        const { json, status } = await ask(url, { agent_id: dataset.id, params, pagination: { limit, offset } });
        if (status !== 200) throw new Error(json.detail);
        queriedAt ||= json.timestamp;
        hasMore = json.pagination.has_more;
        yield { limit, offset, hasMore, results: Buffer.from(JSON.stringify(json.data.results)) };
        offset += json.data.results.length;
      }
    }
    return { pages: pages(), origin: () => ({ service: url, queriedAt, dataVersion: 'v1' }) };
  };
}

/** A source of pages given as text, each an array of records. */
export function pagesOfText(...texts: string[]): PageSource {
  return () => {
    async function* pages(): AsyncGenerator<Page> {
      for (const [at, text] of texts.entries()) {
        yield { limit: 1, offset: at, hasMore: at + 1 < texts.length, results: Buffer.from(text) };
      }
    }
    const origin = { service: 'http://user:secret@127.0.0.1:1/api/?key=secret', queriedAt: '2026-11-21T09:30:00.000Z' };
    return { pages: pages(), origin: () => origin };
  };
}

/** A source that must not be asked. */
export const nobody: PageSource = () => {
  throw new Error('the service was asked');
};

/** Reads a series to its end; returns its records, its pages' texts and their origin. */
export async function read(source: PageSource, request: SeriesRequest) {
  const { pages, origin } = source(request);
  const texts: string[] = [];
  for await (const { results } of pages) texts.push(Buffer.from(results).toString());
  return { records: texts.flatMap((text) => JSON.parse(text) as object[]), texts, origin: origin() };
}

/** The text within the brackets of pages, joined, which does not depend on the page size. */
export const inside = (texts: readonly string[]) =>
  texts
    .map((text) => text.slice(1, -1))
    .filter(Boolean)
    .join();

/** The bytes of every file in a snapshot folder, by name. */
export async function contentOf(folder: string): Promise<Record<string, Buffer>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.includes('.')).sort();
  const content = names.map(async (name) => [name, await readFile(join(folder, name))] as const);
  return Object.fromEntries(await Promise.all(content));
}

/** The manifest, with each answer unpacked and its hash computed independently. */
export async function stateOf(folder: string) {
  const { format, queries } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  const answers = await Promise.all(
    queries.map(async ({ sha256 }: { sha256: string }) => {
      const text = gunzipSync(await readFile(join(folder, 'answers', `${sha256}.ndjson.gz`)));
      return { text: text.toString(), sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
  return { format, queries, answers };
}
