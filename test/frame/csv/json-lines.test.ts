import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DataError } from '../../../src/base/errors.js';
import type { Column } from '../../../src/contract/definition.js';
import { jsonArrayPieces, jsonLinePieces, writeJsonLines } from '../../../src/frame/csv/json-lines.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import type { Tabular } from '../../../src/frame/tabular/tabular.js';
import { MISSING_MICROS } from '../../../src/frame/vector/vector.js';
import fc from '../../support/fast-check.js';

const textOf = (pieces: Iterable<Uint8Array>) => Buffer.concat([...pieces]).toString();
const lines = (frame: Tabular) => textOf(jsonLinePieces(frame));
async function array(...frames: Tabular[]): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of jsonArrayPieces(frames)) pieces.push(piece);
  return textOf(pieces);
}

function columnOf(name: string): Column {
  return { name, dtype: 'float64', nullable: true, meaning: '' };
}

const NONE: [number, string | null] = [0, null];

describe('JSON lines of a frame', () => {
  test('hold missing values as null, exact amounts as text, and keys in the order of the columns', async () => {
    const frame = frameFromVectors(['z', '__proto__', 'a "b"', 'ok'].map(columnOf), [
      { kind: 'number', values: Float64Array.of(0.1, Number.NaN, Number.POSITIVE_INFINITY, -0, 1e21) },
      { kind: 'micros', values: BigInt64Array.of(1_500_000n, -1n, MISSING_MICROS, 0n, 2n ** 62n) },
      { kind: 'text', codes: Int32Array.of(0, 1, -1, 0, 1), words: ['é\n"x"', ''], distinct: true },
      { kind: 'boolean', values: Int8Array.of(1, 0, -1, 1, 1) },
    ]);
    const objects = [
      '{"z":0.1,"__proto__":"1.5","a \\"b\\"":"é\\n\\"x\\"","ok":true}',
      '{"z":null,"__proto__":"-0.000001","a \\"b\\"":"","ok":false}',
      '{"z":null,"__proto__":null,"a \\"b\\"":null,"ok":null}',
      '{"z":-0,"__proto__":"0","a \\"b\\"":"é\\n\\"x\\"","ok":true}',
      '{"z":1e+21,"__proto__":"4611686018427.387904","a \\"b\\"":"","ok":true}',
    ];
    expect(lines(frame)).toBe(objects.map((object) => `${object}\n`).join(''));
    expect(await array(frame)).toBe(`[${objects.join(',\n')}]\n`);
  });

  test('hold whatever danfo holds', () => {
    const frame = new DataFrame([[new Date(0)], [1n], ['x'], [null], [2.5], [-0]], { columns: ['any'] });
    expect(lines(frame)).toBe(
      '{"any":"1970-01-01T00:00:00.000Z"}\n{"any":"1"}\n{"any":"x"}\n{"any":null}\n{"any":2.5}\n{"any":-0}\n',
    );
  });

  test('have U+FFFD for half of a character, as the other forms have', async () => {
    const words = ['a\ud800', '\udc00é', '🚀', '\\ud800'];
    const told = ['"a\ufffd"', '"\ufffdé"', '"🚀"', '"\\\\ud800"'];
    const codes = Int32Array.of(0, 1, 2, 3);
    const twice = Int32Array.of(0, 1, 2, 3, 0, 1, 2, 3);
    const name = 'x\ud800';
    const column = { ...columnOf(name), dtype: 'string' } as const;
    const expected = told.map((text) => `{"x\ufffd":${text}}\n`).join('');
    expect(lines(frameFromVectors([column], [{ kind: 'text', codes, words, distinct: true }]))).toBe(expected);
    const kept = frameFromVectors([column], [{ kind: 'text', codes: twice, words, distinct: true }]);
    expect(lines(kept)).toBe(expected + expected);
    expect(lines(frameFromVectors([column], [{ kind: 'mixed', cells: words }]))).toBe(expected);
  });

  test('are none without rows, and the array is empty', async () => {
    const frame = frameFromVectors([columnOf('a')], [{ kind: 'number', values: new Float64Array(0) }]);
    expect([lines(frame), await array(frame), await array()]).toEqual(['', '[]\n', '[]\n']);
    const one = new DataFrame({ a: [1] });
    expect(await array(frame, one, frame, one)).toBe('[{"a":1},\n{"a":1}]\n');
  });

  test('parse to what JSON.stringify says of the values, over many pieces', async () => {
    const row = fc.tuple(fc.double(), fc.option(fc.string({ unit: 'binary' })));
    await fc.assert(
      fc.asyncProperty(fc.array(row), fc.integer({ min: 1, max: 500 }), async (rows, times) => {
        const length = Math.min(1_500, rows.length * times);
        const all = Array.from({ length }, (_, at) => rows[at % rows.length] ?? NONE);
        const frame = frameFromVectors(
          [columnOf('n'), columnOf('t')],
          [
            { kind: 'number', values: Float64Array.from(all, ([number]) => number) },
            {
              kind: 'text',
              codes: Int32Array.from(all, ([, text], at) => (text === null ? -1 : at)),
              words: all.map(([, text]) => text ?? ''),
              distinct: false,
            },
          ],
        );
        const expected = JSON.parse(JSON.stringify(all.map(([n, t]) => ({ n, t }))));
        expect(JSON.parse(await array(frame))).toEqual(expected);
        expect(
          lines(frame)
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line)),
        ).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });
});

describe('writeJsonLines', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oddslab-json-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const frame = new DataFrame({ a: [1, 2], b: ['é', null] });
  const text = '{"a":1,"b":"é"}\n{"a":2,"b":null}\n';

  test('writes the file whole, compressed where its name says so, and tells how far it is', async () => {
    const [plain, packed] = [join(folder, 'a.ndjson'), join(folder, 'b.ndjson.gz')];
    const told: object[] = [];
    const onProgress = (progress: object) => told.push(progress);
    expect(await writeJsonLines(frame, plain, { onProgress })).toEqual({ path: plain, rows: 2, bytes: 34 });
    expect(told).toEqual([{ rows: 2, total: 2 }]);
    expect(await readFile(plain, 'utf8')).toBe(text);
    await writeJsonLines(frame, packed);
    expect(gunzipSync(await readFile(packed)).toString()).toBe(text);
  });

  test('says that a folder is missing, and leaves nothing behind', async () => {
    await expect(writeJsonLines(frame, join(folder, 'none', 'a'))).rejects.toThrow(DataError);
    expect(await readdir(folder)).toEqual([]);
  });
});
