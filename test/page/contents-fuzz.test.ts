import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import fc, { cases } from '../support/fast-check.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Answer, type Sent, servePageHere } from './page-server.js';

/** What lies below a folder, by path: a file's bytes, where a link leads, or that it is a folder. */
type Tree = ReadonlyMap<string, string>;

function treeOf(folder: string, below = ''): Map<string, string> {
  const tree = new Map<string, string>();
  for (const name of readdirSync(join(folder, below))) {
    const path = join(below, name);
    const found = lstatSync(join(folder, path));
    if (found.isSymbolicLink()) tree.set(path, `link to ${readlinkSync(join(folder, path))}`);
    else if (found.isDirectory()) {
      tree.set(path, 'folder');
      for (const [each, what] of treeOf(folder, path)) tree.set(each, what);
    } else tree.set(path, `file ${found.mode & 0o777} ${readFileSync(join(folder, path), 'base64')}`);
  }
  return tree;
}

const NOTEBOOK = {
  cells: [{ cell_type: 'raw', id: 'a', source: 'text', metadata: {} }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
};

/** Fills the folder anew: files, folders, hidden ones, and links within it, out of it and to nothing. */
function fill(folder: string, outside: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  for (const name of ['sub/deep', 'empty', '.hidden', 'sub/.ipynb_checkpoints'])
    mkdirSync(join(folder, name), { recursive: true });
  const files = [
    'a.txt',
    'b.ipynb',
    'sub/a.txt',
    'sub/deep/ä.txt',
    '.hidden/key',
    'sub/.ipynb_checkpoints/a-checkpoint.txt',
  ];
  for (const name of files) writeFileSync(join(folder, name), `content of ${name}`);
  writeFileSync(join(folder, 'b.ipynb'), JSON.stringify(NOTEBOOK));
  const links = {
    link: 'a.txt',
    'sub/up': '..',
    out: outside,
    'secret.txt': join(outside, 'secret.txt'),
    gone: join(outside, 'new.txt'),
    loop: 'loop',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
}

const part = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'a.txt',
      'b.ipynb',
      'sub',
      'deep',
      'empty',
      'new.txt',
      'new.ipynb',
      'ä.txt',
      'link',
      'up',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '..',
      '.',
      '',
      '.hidden',
      'key',
      '.ipynb_checkpoints',
      'out',
      'secret.txt',
      'gone',
      'loop',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'checkpoints',
      'checkpoint',
      'trust',
      '%2e%2e',
      '..%2f',
      'a\0b',
      '..\\',
      'x'.repeat(300),
      '\ud800',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
);
const path = fc.array(part, { maxLength: 4 }).map((parts) => parts.join('/'));
/** Ways to write a path in an address; some are wrong. */
const encoding = fc.constantFrom(
  (each: string) => each.split('/').map(wellEncoded).join('/'),
  (each: string) => wellEncoded(each),
  (each: string) => encodeURI(each.replace(/\p{Surrogate}/gu, '?')).replace(/[?#]/g, escape),
  (each: string) => each.split('/').map(wellEncoded).join('%2f').replaceAll('.', '%2E'),
);

function wellEncoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'));
}

const body = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('file'),
      format: fc.constantFrom('text', 'base64'),
      content: fc.constantFrom('', 'new', 'AAAA'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constant({ type: 'notebook', format: 'json', content: { ...NOTEBOOK, metadata: { own: 1 } } }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('file'),
      format: fc.constant('text'),
      content: fc.constant('piece'),
      chunk: fc.constantFrom(1, 2, -1, 0, 'x'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { type: 'directory' },
      { type: 'notebook' },
      { type: 'file', ext: '.ts' },
      { ext: '/../x' },
      {},
    ),
  },
  { weight: 3, arbitrary: fc.record({ path }) },
  { weight: 2, arbitrary: fc.record({ copy_from: path }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(
      fc.constantFrom('type', 'format', 'content', 'chunk', 'path', 'ext', 'copy_from'),
      fc.jsonValue({ maxDepth: 2 }),
    ),
  },
);
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PUT', 'PATCH', 'DELETE', 'HEAD'),
  area: fc.constantFrom('contents', 'contents', 'contents', 'files', 'nbconvert'),
  path,
  encoding,
  behind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('') },
    fc.constantFrom('/checkpoints', '/checkpoints/checkpoint', '/trust', '?content=0&hash=1', '?type=notebook'),
  ),
  body,
});
type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

/** Where a path leads, as far as it exists, within the folder; undefined for what is outside. */
function placeOf(folder: string, each: string): string | undefined {
  const clean = each.split('/').filter((name) => name !== '' && name !== '.');
  if (each.includes('\0')) return undefined;
  let full = folder;
  for (const name of clean) {
    full = join(full, name);
    try {
      full = realpathSync(full);
    } catch {}
  }
  const place = relative(folder, full);
  return place.startsWith('..') ? undefined : place;
}

/** The paths that a request may change, with all below them, and those beside that may appear. */
function addressed(folder: string, { path: own, behind, body: sent }: Request): string[] {
  const to = (sent as { path?: unknown } | null)?.path;
  const all = [own, `${own}${behind.replace(/\?.*/, '')}`, ...(typeof to === 'string' ? [to] : [])];
  const paths = all.flatMap((each) => {
    const [whole, lexical] = [placeOf(folder, each), lexicalOf(folder, each)];
    // Those of a checkpoint or of trust are behind the file's own path.
    const file = placeOf(folder, each.replace(/\/(checkpoints(\/[\w-]+)?|trust)$/, ''));
    return [whole, lexical, file].filter((place) => place !== undefined);
  });
  return paths.flatMap((place) => [place, checkpointOf(place)]);
}

/** The path of a link itself, below where its folder leads. */
function lexicalOf(folder: string, each: string): string | undefined {
  const parts = each.split('/').filter((name) => name !== '' && name !== '.');
  const above = placeOf(folder, parts.slice(0, -1).join('/'));
  return above === undefined ? undefined : join(above, parts.at(-1) ?? '');
}

function checkpointOf(place: string): string {
  const [, stem = '', end = ''] = /([^/]*?)(\.[^./]*)?$/.exec(place) ?? [];
  return join(dirname(place), '.ipynb_checkpoints', `${stem}-checkpoint${end}`);
}

/** What a request changed that it did not name. */
function unnamedChanges(
  before: Tree,
  after: Tree,
  { method, path: own, body: sent }: Request,
  named: readonly string[],
): string[] {
  const isNamed = (each: string) =>
    named.some((place) => place !== '' && (each === place || each.startsWith(`${place}/`)));
  const lost = [...before].filter(([each, what]) => after.get(each) !== what && !isNamed(each));
  const added = [...after.keys()].filter((each) => !before.has(each) && !isNamed(each));
  // POST makes something of a new name; pieces of uploads and folders of checkpoints are hidden.
  const isExpected = (each: string) =>
    method === 'POST' || /(^|\/)\.(ipynb_checkpoints|oddslab-[0-9a-f]{16}\.part)$/.test(each);
  const report = (kind: string, each: string) =>
    `${method} ${JSON.stringify(own)} ${JSON.stringify(sent)} ${kind} ${each}`;
  return [
    ...lost.map(([each]) => report('changed', each)),
    ...added.filter((each) => !isExpected(each)).map((each) => report('added', each)),
  ];
}

function sentOf({ method, area, path: own, encoding: encode, behind, body: sent }: Request): [string, Sent] {
  const area2 = { contents: '/api/contents/', files: '/files/', nbconvert: '/nbconvert/html/' }[area] ?? '';
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
  return [`${area2}${encode(own)}${behind}`, { method, ...(hasBody ? { body: JSON.stringify(sent) } : {}) }];
}

it('never touches what lies outside, nor a file that a request does not name, and never fails', async () => {
  const outside = await temporaryFolder();
  writeFileSync(join(outside, 'secret.txt'), 'secret of others');
  const { folder, ask, logged } = await servePageHere();
  const kept = JSON.stringify([...treeOf(outside)]);
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 15 }), async (requests) => {
      fill(folder, outside);
      for (const each of requests) {
        const [before, named] = [treeOf(folder), addressed(folder, each)];
        const answer: Answer = await ask(...sentOf(each));
        const told = `${each.method} ${sentOf(each)[0]}`;
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
        expect([told, answer.status < 500, answer.text.includes('secret of others')]).toEqual([told, true, false]);
        expect(unnamedChanges(before, treeOf(folder), each, named)).toEqual([]);
        if (answer.status >= 400 && each.method !== 'HEAD')
          expect(Object.keys(answer.json)).toEqual(['message', 'reason']);
        expect(answer.text).not.toMatch(/\n\s+at .+:\d+/);
      }
      expect(JSON.stringify([...treeOf(outside)])).toBe(kept);
    }),
    { numRuns: cases(180) },
  );
  expect(logged).toEqual([]);
  // The requests are not all refused.
  for (const status of [200, 201, 204, 400, 404])
    expect([status, seen.get(status) ?? 0]).toEqual([status, expect.toSatisfy((count) => count > 0)]);
});
