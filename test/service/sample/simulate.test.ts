import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataError, UsageError } from '../../../src/base/errors.js';
import { simulate } from '../../../src/service/sample/simulate-sample.js';
import { Wallets } from '../../../src/service/sample/wallets.js';
import { type Ledger, type ReadSample, readSample, replay, winnerOf } from '../simulate-replay.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-simulate-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const small = { markets: 12, wallets: 9, fills: 400, seed: 7 };
const fileNames = ['activity.json', 'markets.json', 'sample.json', 'trades.json'];

async function digest(out: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of fileNames) hash.update(await readFile(join(out, name)));
  return hash.digest('hex');
}

describe('simulate', () => {
  it('gives equal bytes for equal parameters, and the very bytes it gave when this was written', async () => {
    await simulate({ out: join(folder, 'a'), ...small });
    await simulate({ out: join(folder, 'b'), ...small });
    await simulate({ out: join(folder, 'c'), ...small, seed: 8 });
    const digests = await Promise.all(['a', 'b', 'c'].map((name) => digest(join(folder, name))));
    expect(digests[0]).toBe(digests[1]);
    expect(digests[2]).not.toBe(digests[0]);
    // Raise VERSION in manifest.ts when this changes, or older samples would be reused in place of new ones.
    expect(digests[0]).toBe('7e53be81d856f6480836ee9a138a8713a7c2fe7a00cf552be87ca5c5182e7605');
  });

  it('describes its files in the manifest', async () => {
    const out = join(folder, 'described');
    const { manifest } = await simulate({ out, ...small });
    expect(JSON.parse(await readFile(join(out, 'sample.json'), 'utf8'))).toEqual(manifest);
    expect(await readdir(out).then((names) => names.sort())).toEqual(fileNames);
    for (const file of manifest.files) {
      const bytes = await readFile(join(out, file.name));
      expect({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }).toEqual({
        size: file.size,
        sha256: file.sha256,
      });
    }
  });

  it.each([
    { markets: 1, wallets: 2, fills: 2, seed: 0 },
    { markets: 1, wallets: 2, fills: 3, seed: 1 },
    { markets: 1, wallets: 50, fills: 50, seed: 2 },
    { markets: 30, wallets: 61, fills: 61, seed: 3 },
    { markets: 100, wallets: 3, fills: 201, seed: 4 },
  ])('writes exactly what was asked for: %o', async (parameters) => {
    const out = join(folder, `exact-${parameters.seed}`);
    await simulate({ out, ...parameters });
    const sample = await readSample(out);
    expect({
      markets: sample.markets.length,
      wallets: new Set(sample.trades.map((trade) => trade.proxyWallet)).size,
      fills: sample.trades.length,
      seed: parameters.seed,
    }).toEqual(parameters);
    expect(new Set(sample.trades.map((trade) => trade.conditionId)).size).toBe(parameters.markets);
    expect(replay(sample).oversold).toEqual([]);
  });

  it('reuses a folder with the same sample, and replaces another sample', async () => {
    const out = join(folder, 'reused');
    expect((await simulate({ out, ...small })).reused).toBe(false);
    expect((await simulate({ out, ...small })).reused).toBe(true);
    expect((await simulate({ out, ...small, seed: 9 })).reused).toBe(false);
    await writeFile(join(out, 'trades.json'), '[]');
    expect((await simulate({ out, ...small, seed: 9 })).reused).toBe(false);
    expect((await readSample(out)).trades.length).toBe(small.fills);
  });

  it("never overwrites what is not a sample's", async () => {
    const out = await mkdtemp(join(folder, 'foreign-'));
    await writeFile(join(out, 'trades.json'), 'mine');
    await expect(simulate({ out, ...small })).rejects.toThrow(DataError);
    expect(await readFile(join(out, 'trades.json'), 'utf8')).toBe('mine');
    await expect(simulate({ out: join(out, 'trades.json'), ...small })).rejects.toThrow(
      /a file of that name is in the way/,
    );
  });

  it('leaves nothing behind when it is stopped', async () => {
    const stop = new AbortController();
    const run = simulate({
      out: join(folder, 'stopped', 'deep'),
      ...small,
      fills: 50_000,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    });
    await expect(run).rejects.toThrow('enough');
    expect(await readdir(folder)).not.toContain('stopped');
  });

  it.each([
    [{ markets: 0 }, /markets is 0; it must be a whole number from 1 to 1000000/],
    [{ wallets: 1 }, /wallets is 1/],
    [{ fills: 2.5 }, /fills is 2.5/],
    [{ fills: 100_000_001 }, /from 2 to 100000000/],
    [{ seed: -1 }, /seed is -1/],
    [{ seed: Number.NaN }, /seed is NaN/],
    [{ markets: 10, fills: 19, wallets: 2 }, /at least 20 fills, or for at most 9 markets/],
    [{ markets: 2, fills: 19, wallets: 20 }, /at least 20 fills, or for at most 19 wallets/],
  ])('refuses %o', async (parameters, message) => {
    const out = join(folder, 'refused');
    await expect(simulate({ out, ...parameters })).rejects.toThrow(UsageError);
    await expect(simulate({ out, ...parameters })).rejects.toThrow(message);
    expect(await readdir(folder)).not.toContain('refused');
  });
});

describe('the default sample', () => {
  let sample: ReadSample;
  let ledger: Ledger;
  beforeAll(async () => {
    const { files } = await simulate({ out: join(folder, 'default') });
    sample = await readSample(join(files[0] ?? '', '..'));
    ledger = replay(sample);
  });

  it('trades on after the end date in most closed markets, and never after the close', () => {
    const last = new Map<string, number>();
    for (const { conditionId, timestamp } of sample.trades) {
      last.set(conditionId, Math.max(timestamp, last.get(conditionId) ?? 0));
    }
    const closed = sample.markets.filter((market) => market.closed);
    const lastOf = (market: { conditionId: string }) => (last.get(market.conditionId) ?? 0) * 1000;
    expect(closed.filter((market) => lastOf(market) > Date.parse(market.endDate)).length).toBeGreaterThan(
      closed.length / 2,
    );
    expect(closed.filter((market) => lastOf(market) > Date.parse(`${market.closedTime}:00`))).toEqual([]);
  });

  it('has the promised counts', () => {
    const wallets = new Set(sample.trades.map((trade) => trade.proxyWallet));
    expect([sample.markets.length, wallets.size, sample.trades.length]).toEqual([2_000, 500, 200_000]);
    expect([...wallets].filter((wallet) => !/^0x[0-9a-f]{40}$/.test(wallet))).toEqual([]);
    expect(new Set(sample.markets.map((market) => market.conditionId)).size).toBe(2_000);
    expect(new Set(sample.markets.map((market) => market.slug)).size).toBe(2_000);
  });

  it('never lets shares leave that are not there, in any order within a second', () => {
    expect(ledger.oversold).toEqual([]);
  });

  it("states volumes that the takers' rows come to, to the millionth", () => {
    const stated = sample.markets.map((market) => [market.conditionId, Math.round(Number(market.volume) * 1e6)]);
    expect(new Map(stated as [string, number][])).toEqual(ledger.volumeMicroUsd);
  });

  it('neither makes nor loses money as a whole', () => {
    for (const [market, total] of ledger.cashMicroUsd) expect([market, total]).toEqual([market, 0]);
    expect(ledger.cashMicroUsd.size).toBeGreaterThan(1_500);
  });

  it('matches every taker with makers of the same size', () => {
    expect(ledger.unmatched).toEqual([]);
  });

  it('resolves exactly one market of an exclusive event as Yes', () => {
    const yes = new Map<string, number>();
    for (const market of sample.markets) {
      const group = market.negRiskMarketID;
      if (group !== undefined && market.closed) {
        yes.set(group, (yes.get(group) ?? 0) + (winnerOf(market) === 0 ? 1 : 0));
      }
    }
    expect(new Set(yes.values())).toEqual(new Set([1]));
  });

  it('holds ties, open markets and a few that ended undecided', () => {
    const open = sample.markets.filter((market) => !market.closed).length;
    const ties = sample.markets.filter((market) => winnerOf(market) === 'tie').length;
    const undecided = sample.markets.filter((market) => market.closed && winnerOf(market) === undefined).length;
    expect([open > 220 && open < 380, ties > 20 && ties < 120, undecided > 3 && undecided < 60]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('shows skill: sharps earn, and fill the top of the leaderboard', () => {
    const wallets = new Wallets(1, 500);
    const rows = Array.from({ length: 500 }, (_, wallet) => {
      const { pnl = 0, invested = 0 } = ledger.wallets.get(wallets.address(wallet)) ?? {};
      return { kind: wallets.kind(wallet), edge: wallets.edge[wallet] ?? 0, pnl, invested };
    });
    const roi = (kind: string) => {
      const group = rows.filter((row) => row.kind === kind);
      return group.reduce((sum, row) => sum + row.pnl, 0) / group.reduce((sum, row) => sum + row.invested, 0);
    };
    expect(roi('sharp')).toBeGreaterThan(0.08);
    expect(roi('average')).toBeLessThan(0.02);
    expect(roi('poor')).toBeLessThan(roi('average'));
    expect(Math.abs(roi('maker'))).toBeLessThan(0.03);
    const top = rows.sort((a, b) => b.pnl - a.pnl).slice(0, 20);
    expect(top.filter((row) => row.kind === 'sharp').length).toBeGreaterThan(10);
    const traders = rows.filter((row) => row.kind !== 'maker');
    expect(
      spearman(
        traders.map((row) => row.edge),
        traders.map((row) => row.pnl / row.invested),
      ),
    ).toBeGreaterThan(0.25);
  });

  it('prices outcomes about as often as they win, longshots a little too high', () => {
    for (const { priced, won, markets } of ledger.calibration) {
      const error = Math.sqrt((priced * (1 - priced)) / markets);
      expect(Math.abs(won - priced)).toBeLessThan(0.02 + 3 * error);
    }
    const longshots = ledger.calibration.filter((bucket) => bucket.priced < 0.1);
    const excess = longshots.reduce((sum, bucket) => sum + (bucket.won - bucket.priced) * bucket.samples, 0);
    expect(excess).toBeLessThan(0);
  });
});

function spearman(a: number[], b: number[]): number {
  const rank = (values: number[]) => {
    const ranks: number[] = [];
    for (const [place, i] of values
      .map((_, i) => i)
      .sort((x, y) => (values[x] ?? 0) - (values[y] ?? 0))
      .entries()) {
      ranks[i] = place;
    }
    return ranks;
  };
  const [left, right] = [rank(a), rank(b)];
  const squares = left.reduce((sum, place, i) => sum + (place - (right[i] ?? 0)) ** 2, 0);
  return 1 - (6 * squares) / (a.length * (a.length ** 2 - 1));
}
