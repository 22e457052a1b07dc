import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';
import { PageFile } from '../../src/fetch/page-file.js';
import { recordsOf } from '../../src/fetch/records.js';
import fc, { cases } from '../support/fast-check.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ASKED = { endpoint: '/v2/activity', params: { user: '0x1' } };
const open = (folder: string, asked = ASKED) => PageFile.open(folder, 'activity.ndjson', asked);

it('holds after a kill what its cursor file names, and cuts off the rest', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'activity.ndjson');
  const file = await open(folder);
  await file.append(['{"a":1}', '{"a":"é"}'], { cursor: 'c2', time: 7 });
  await file.close();
  await appendFile(path, '{"a":2}\n{"a":');
  const again = await open(folder);
  expect(await readFile(path, 'utf8')).toBe('{"a":1}\n{"a":"é"}\n');
  expect(again.state).toMatchObject({
    endpoint: '/v2/activity',
    cursor: 'c2',
    time: 7,
    rows: 2,
    bytes: 19,
    ended: false,
  });
  await again.append(['{"a":3}'], { cursor: null, ended: true });
  await again.close();
  expect(await readFile(path, 'utf8')).toBe('{"a":1}\n{"a":"é"}\n{"a":3}\n');
  expect(await PageFile.stateOf(folder, 'activity.ndjson')).toMatchObject({ cursor: null, rows: 3, ended: true });
});

it('begins anew where the kill came before the first cursor file', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'activity.ndjson'), '{"a":');
  await (await open(folder)).close();
  expect((await stat(join(folder, 'activity.ndjson'))).size).toBe(0);
});

it('refuses other parameters, a file that became shorter and a damaged cursor file', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'activity.ndjson');
  const file = await open(folder);
  await file.append(['{}']);
  await file.close();
  await expect(open(folder, { ...ASKED, params: { user: '0x2' } })).rejects.toThrow(/other parameters.*--out/);
  expect(await readFile(path, 'utf8')).toBe('{}\n');
  await truncate(path, 1);
  await expect(open(folder)).rejects.toThrow(/has 1 bytes, and 3 were written/);
  await writeFile(join(folder, 'activity.cursor.json'), '{"bytes":');
  await expect(open(folder)).rejects.toThrow(/activity\.cursor\.json is damaged/);
});

it('gives its lines from both ends, whatever their lengths, and cuts itself back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.string(),
          fc.nat(700_000).map((n) => 'é'.repeat(n)),
        ),
        { maxLength: 6 },
      ),
      async (texts) => {
        const lines = texts.map((text) => JSON.stringify(text));
        const folder = await temporaryFolder();
        const file = await open(folder);
        for (const line of lines) await file.append([line]);
        const collect = async (all: AsyncIterable<string>) => {
          const list: string[] = [];
          for await (const line of all) list.push(line);
          return list;
        };
        expect(await collect(file.lines())).toEqual(lines);
        expect((await collect(file.linesFromEnd())).reverse()).toEqual(lines);
        const first = lines.slice(0, 1);
        await file.rewind({ rows: first.length, bytes: Buffer.byteLength(first.join('')) + first.length, time: null });
        await file.append(['2']);
        expect(await collect(file.lines())).toEqual([...first, '2']);
        await file.close();
      },
    ),
    { numRuns: cases(20) },
  );
});

it('writes each record as it came, but for the fields that are dropped', () => {
  const key = fc.constantFrom('name', 'bio', 'n\\ame', 'size', 'x"', 'a', '');
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string(),
      fc.constant(null),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('any'), { maxLength: 3 }),
    object: fc.dictionary(key, tie('any'), { maxKeys: 5, noNullPrototype: true }),
  }));
  const without = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(without);
    if (typeof part !== 'object' || part === null) return part;
    const kept = Object.entries(part).filter(([name]) => name !== 'name' && name !== 'bio');
    return Object.fromEntries(kept.map(([name, each]) => [name, without(each)]));
  };
  fc.assert(
    fc.property(
      fc.array(value.object, { maxLength: 4 }),
      fc.constantFrom(undefined, 1, '\t'),
      fc.boolean(),
      (list, indent, bare) => {
        const json = JSON.parse(JSON.stringify(bare ? list : { more: { data: [{ name: 1 }] }, data: list, next: [] }));
        const text = JSON.stringify(json, undefined, indent);
        const records = recordsOf(
          { text, json, place: 'A source' },
          bare ? undefined : 'data',
          new Set(['name', 'bio']),
        );
        const kept = (bare ? json : json.data).map(without);
        expect(records.map(({ text }) => JSON.parse(text))).toEqual(kept);
        if (indent === undefined)
          expect(records.map(({ text }) => text)).toEqual(kept.map((each: unknown) => JSON.stringify(each)));
        expect(records.every(({ text }) => !text.includes('\n'))).toBe(true);
      },
    ),
    { numRuns: cases(300) },
  );
});

it.each<[unknown, string]>([
  [{ error: 1, code: 2 }, 'an object with error, code, not an object with a list "data" of records'],
  [{ data: [1] }, 'an object with data, not an object with a list "data" of records'],
  [[], 'a list, not an object with a list "data" of records'],
  [null, 'null, not an object with a list "data" of records'],
])('names the shape of what is no list of records: %j', (json, what) => {
  const answer = { text: JSON.stringify(json), json, place: 'A source' };
  expect(() => recordsOf(answer, 'data')).toThrow(`A source answered JSON of an unknown shape: ${what}.`);
});
