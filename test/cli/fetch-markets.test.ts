import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Fault } from '../support/public-source/faults.js';
import { simulatedRecords } from '../support/public-source/simulated-records.js';
import type { SourceRecords } from '../support/public-source/source-records.js';
import { startPublicSource } from '../support/public-source/start-public-source.js';
import { runHere } from '../support/run-here.js';
import { serveFolder } from '../support/serve-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-fetch-cli-'));

let records: SourceRecords;

beforeAll(async () => {
  records = await simulatedRecords(folder, { markets: 30, wallets: 12, fills: 1_500, seed: 8 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function source(faults: readonly Fault[] = []) {
  const started = await startPublicSource({ records, faults });
  onTestFinished(() => started.close());
  const work = await temporaryFolder();
  const flags = [
    '--gamma-url',
    started.gammaUrl,
    '--data-api-url',
    started.dataApiUrl,
    '--clob-url',
    started.clobUrl,
    '--rate',
    'unlimited',
  ];
  const places = ['--out', join(work, 'raw'), '--data', join(work, 'data')];
  return { ...started, work, flags, places };
}

it('fetches a market, an event, the leaderboard with its wallets, and reads all into the data folder', async () => {
  const { flags, places, work } = await source();
  const market = records.markets.find(({ hidden, carried }) => hidden === 'nowhere' && !carried);
  const traded = await runHere(['fetch', 'market', market?.slug ?? '', ...flags, ...places]);
  expect(traded.code, traded.err).toBe(0);
  expect(traded.out).toBe(`${join(work, 'raw', `market-${market?.slug}`)}\n`);
  expect(traded.err).toMatch(/\d fills, up to 20.* UTC, of \d+ wallets; \d+ market records?; in /);
  expect(traded.err).toMatch(/splits, merges and redemptions of a whole market have no feed/);
  expect(traded.err).toMatch(/1 market,? /);

  const board = await runHere(['fetch', 'leaderboard', '--limit', '5', '--wallets', '2', ...flags, ...places]);
  expect(board.code, board.err).toBe(0);
  const wallets = board.out.trim().split('\n');
  expect(wallets).toHaveLength(5);
  expect(existsSync(join(work, 'raw', `wallet-${wallets[1]}`, 'fetch.json'))).toBe(true);
  expect(existsSync(join(work, 'raw', `wallet-${wallets[2]}`))).toBe(false);

  const event = await runHere(['fetch', 'event', market?.event.slug ?? '', '--no-ingest', ...flags, ...places]);
  expect([event.code, event.out]).toEqual([0, `${join(work, 'raw', `event-${market?.event.slug}`)}\n`]);
  const markets = await runHere(['fetch', 'markets', ...flags, ...places]);
  expect(markets.code, markets.err).toBe(0);
  expect(markets.err).toMatch(
    /^Some 15,000 pages of 100 markets, about an hour\. .*\n\d+ records of markets, \d+ of them new, up to/,
  );
});

it('says what is wrong, and ends with the code for it', async () => {
  const { flags, places, setFaults } = await source();
  const wrong = await runHere(['fetch', 'market', 'no-such-thing', ...flags, ...places]);
  expect([wrong.code, wrong.out]).toEqual([64, '']);
  expect(wrong.err).toMatch(/No market has the slug "no-such-thing"\. Is it an event's, for "fetch event"\?/);
  expect((await runHere(['fetch'])).err).toMatch(
    /Say what to fetch, or add --check\. It fetches wallet, market, event,/,
  );
  const misspelt = await runHere(['fetch', 'markte', 'x', ...flags]);
  expect([misspelt.code, misspelt.err]).toEqual([
    64,
    expect.stringMatching(/There is no "fetch markte"\. Did you mean "market"\?/),
  ]);
  setFaults([{ kind: 'never-json' }]);
  const down = await runHere(['fetch', 'event', 'x', ...flags, ...places]);
  expect(down.code).toBe(1);
  expect(down.err).toMatch(/with a page of HTML, not JSON/);
});

it('checks the sources: 0 if nothing changed, 2 if something did, 1 if one fails', async () => {
  const { flags, setFaults } = await source();
  const sound = await runHere(['fetch', '--check', ...flags]);
  expect([sound.code, sound.err]).toEqual([0, '']);
  expect(sound.out).toMatch(/^gamma\t\/markets\/keyset\tok\t\d+\t0$/m);
  expect(sound.out).toMatch(/^data\t\/v2\/activity\/combos\tempty\t0\t0$/m);
  setFaults([{ kind: 'drift', on: /^\/v2\/activity$/ }]);
  const changed = await runHere(['fetch', '--check', ...flags]);
  expect(changed.code).toBe(2);
  expect(changed.out).toMatch(/^data\t\/v2\/activity\tchanged\t\d+\t2$/m);
  expect(changed.err).toMatch(/\/v2\/activity: \d+ records with a new field `brandNewField` \(object\)/);
  setFaults([{ kind: 'absent', on: /resolutions/ }]);
  const failing = await runHere(['fetch', '--check', ...flags]);
  expect(failing.code).toBe(1);
  expect(failing.out).toMatch(/^data\t\/v2\/resolutions\tfailed\t0\t0$/m);
  expect(failing.err).toMatch(/1 question of \d+ had no usable answer:\n.*\/v2\/resolutions\) answered 404/);
});

it('reconciles each wallet of the sample with the source, to the cent where both know the same', async () => {
  const { flags, places, setFaults, work } = await source();
  const wallets = [...records.byWallet.keys()];
  const fetched = await runHere(['fetch', 'wallet', ...wallets, ...flags, ...places]);
  expect(fetched.code, fetched.err).toBe(0);
  expect(fetched.err).toMatch(
    /Our figures of 0x\w{40} beside the source's:\nFIGURE +MARKET +OURS +THEIRS +DIFFERENCE +LIKELY CAUSE\nrealized_pnl/,
  );
  const asked = await runHere(['reconcile', ...wallets, '--json', ...flags, ...places]);
  expect(asked.code, asked.err).toBe(0);
  const rows = JSON.parse(asked.out) as Record<string, string | null>[];
  const of = (figure: string) => rows.filter((row) => row.figure === figure);
  expect(rows.filter(({ difference, cause }) => difference !== null && cause !== '')).toEqual([]);
  for (const figure of ['realized_pnl', 'leaderboard_pnl', 'markets_traded'])
    expect(of(figure), figure).toHaveLength(wallets.length);
  for (const figure of ['market_pnl', 'shares_held', 'redeemed']) expect(of(figure).length, figure).toBeGreaterThan(20);

  const [busiest = ''] = wallets;
  const url = await serveFolder(join(work, 'data'));
  const served = await runHere(['reconcile', busiest, '--url', url, '--json', ...flags, ...places.slice(0, 2)]);
  expect(served.code, served.err).toBe(0);
  const told = JSON.parse(served.out) as typeof rows;
  const ofFolder = rows.filter(({ wallet, figure }) => wallet === busiest && /_pnl$/.test(figure ?? ''));
  expect(told.filter(({ figure }) => /_pnl$/.test(figure ?? ''))).toHaveLength(ofFolder.length);
  expect(told.find(({ figure }) => figure === 'realized_pnl')).toEqual(ofFolder[0]);
  expect(told.find(({ figure }) => figure === 'markets_traded')?.cause).toMatch(/ask the data folder/);

  setFaults([{ kind: 'never-json' }]);
  const offline = await runHere(['reconcile', ...wallets, '--offline', '--json', ...flags, ...places]);
  expect([offline.code, offline.out]).toEqual([0, asked.out]);
  const [wallet = ''] = wallets;
  const figures = readFileSync(join(work, 'raw', `wallet-${wallet}`, 'figures.json'), 'utf8');
  expect(figures).not.toMatch(/PRIVATE-(?!ICON)/);
  const failing = await runHere(['reconcile', wallet, ...flags, ...places]);
  expect(failing.code).toBe(1);
  expect(failing.err).toMatch(/The source did not give all of its figures of 0x/);
  setFaults([{ kind: 'absent', on: /positions/ }]);
  const partly = await runHere(['reconcile', wallet, '--csv', ...flags, ...places]);
  expect(partly.code).toBe(3);
  expect(partly.out).toMatch(
    /^wallet,figure,condition_id,token_id,slug,ours,theirs,difference,cause\n0x\w{40},realized_pnl,,,,/,
  );
  expect(
    (
      await runHere([
        'reconcile',
        `0x${'0'.repeat(40)}`,
        '--offline',
        ...places.slice(0, 2),
        '--data',
        join(work, 'data'),
      ])
    ).code,
  ).toBe(64);
});
