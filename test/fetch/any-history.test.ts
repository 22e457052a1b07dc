import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Sources } from '../../src/fetch/sources.js';
import { fetchWallet } from '../../src/fetch/wallet.js';
import fc, { cases } from '../support/fast-check.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Reply, smallSource } from './small-source.js';
import { type ActivityRow, answersOf, conditionOf, market, trade, WALLET } from './small-wallet.js';

/** V2, or v1 alone, with what it does beyond its cap. */
const MODES = ['v2', 'refuses', 'repeats', 'begins again', 'empty'] as const;

interface History {
  readonly seconds: readonly (readonly [gap: number, equal: number, others: number])[];
  readonly mode: (typeof MODES)[number];
  readonly pageSize: number;
  readonly cap: number;
  readonly faults: readonly number[];
  /** Seconds after which the source was asked the first time. */
  readonly known: number;
}

const histories: fc.Arbitrary<History> = fc.record({
  seconds: fc.array(fc.tuple(fc.nat(900), fc.integer({ min: 1, max: 3 }), fc.nat(300)), {
    minLength: 1,
    maxLength: 14,
  }),
  mode: fc.constantFrom(...MODES),
  pageSize: fc.integer({ min: 4, max: 400 }),
  cap: fc.constantFrom(500, 1000),
  faults: fc.array(fc.nat(2), { maxLength: 12 }),
  known: fc.nat(14),
});

/** Records of a history: some are equal, most are not. */
function rowsOf(seconds: History['seconds']): ActivityRow[] {
  let at = 0;
  return seconds.flatMap(([gap, equal, others], n) => {
    at += gap + 1;
    const condition = { condition_id: conditionOf(n % 3) };
    const other = Array.from({ length: others }, (_, size) => trade(at, { ...condition, size }));
    return [...Array.from({ length: equal }, () => trade(at, { ...condition, size: -1 })), ...other];
  });
}

const FAULTS: readonly Reply[] = [
  { status: 429 },
  { status: 503, text: 'busy' },
  { json: ['a'.repeat(4000)], cut: true },
];

it('holds after two runs what the source knows, row by row, or says that something is missing', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ seconds, mode, pageSize, cap, faults, known }) => {
      const rows = rowsOf(seconds);
      const world = {
        activity: rowsOf(seconds.slice(0, Math.max(1, known))),
        markets: [0, 1, 2].map((n) => market(n)),
        pageSize,
        cap,
        ...(mode === 'v2' ? {} : { beyond: mode }),
      };
      const answer = answersOf(world);
      const left = [...faults];
      const source = await smallSource((asked) => {
        const fault = source.asked.length % 3 === 0 ? left.pop() : undefined;
        if (fault !== undefined) return FAULTS[fault] ?? {};
        return mode !== 'v2' && asked.path === '/v2/activity' ? { status: 404 } : answer(asked);
      });
      const out = await temporaryFolder();
      const urls = { gammaUrl: source.url, dataApiUrl: source.url, clobUrl: source.url };
      const sources = new Sources({ ...urls, rate: Number.POSITIVE_INFINITY, retries: 12, backOffMs: 1 });
      await fetchWallet(WALLET, { sources, out });
      world.activity = rows;
      const { manifest, changed } = await fetchWallet(WALLET, { sources, out });
      await sources.close();
      const text = await readFile(join(out, `wallet-${WALLET}`, 'activity.ndjson'), 'utf8');
      const got = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const shown = (row: Record<string, unknown>) =>
        `${row.timestamp} ${row.size} ${row.conditionId ?? row.condition_id}`;
      expect(manifest.complete, JSON.stringify(manifest.missing)).toBe(true);
      expect(got.map(shown)).toEqual(rows.map(shown));
      expect(changed).toBe(0);
      expect(manifest.rows).toMatchObject({ activity: rows.length, markets: Math.min(3, seconds.length) });
    }),
    { numRuns: cases(60) },
  );
});
