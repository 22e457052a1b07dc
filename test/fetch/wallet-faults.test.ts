import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SourceError } from '../../src/base/errors.js';
import { Sources } from '../../src/fetch/sources.js';
import { fetchWallet } from '../../src/fetch/wallet.js';
import { ingest } from '../../src/service/ingest/ingest-inputs.js';
import { tablesOf } from '../service/ingest/tables-of.js';
import { cases } from '../support/fast-check.js';
import type { Quirks } from '../support/public-source/answers.js';
import type { Fault } from '../support/public-source/faults.js';
import { writeRawTruth } from '../support/public-source/raw-truth.js';
import { simulatedRecords } from '../support/public-source/simulated-records.js';
import type { SourceRecords } from '../support/public-source/source-records.js';
import { startPublicSource } from '../support/public-source/start-public-source.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const WALLETS = 50;
/** How many of them meet each fault; with `ODDSLAB_FUZZ=1` half of them. */
const MET = cases(WALLETS / 2);
/** So that a wallet's activity has several pages. */
const PAGES = { mostRecords: 60 };
const folder = mkdtempSync(join(tmpdir(), 'oddslab-faults-'));

let records: SourceRecords;
let truth: Map<string, string[]>;

beforeAll(async () => {
  records = await simulatedRecords(join(folder, 'sample'), { markets: 60, wallets: WALLETS, fills: 6_000, seed: 11 });
  await ingest({ folder: join(folder, 'data'), inputs: await writeRawTruth(folder, records) });
  truth = await ledgersOf(join(folder, 'data'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each wallet's days and lifetime record, as text. */
async function ledgersOf(data: string): Promise<Map<string, string[]>> {
  const { wallet_days: days = [], lifetimes = [] } = await tablesOf(data);
  const ledgers = new Map<string, string[]>();
  // On the day of a migration nothing is earned or traded; the raw sample has no such day.
  const isEmpty = (row: Record<string, unknown>) =>
    ['invested', 'pnl', 'traded', 'trades', 'wins', 'losses'].every((name) => Number(row[name]) === 0);
  const kept = [...(days as Record<string, unknown>[]).filter((row) => !isEmpty(row)), ...lifetimes];
  for (const row of kept as { wallet: string }[]) {
    const text = JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    ledgers.set(row.wallet, [...(ledgers.get(row.wallet) ?? []), text]);
  }
  return ledgers;
}

/** What came of the fetch of a wallet. */
type Outcome = { wallet: string; folder: string } & (
  | { kind: 'complete' }
  | { kind: 'incomplete'; missing: readonly { what: string; why: string }[] }
  | { kind: 'failed'; message: string }
);

let first = 0;

/** Other wallets for each fault, so that each wallet meets some. */
function someWallets(): string[] {
  const all = [...records.byWallet.keys()];
  first += 7;
  return Array.from({ length: MET }, (_, at) => all[(first + at) % WALLETS] ?? '');
}

/** Fetches wallets from a source with these faults, one after the other. */
async function fetchAll(out: string, faults: readonly Fault[], quirks: Partial<Quirks> = {}): Promise<Outcome[]> {
  const source = await startPublicSource({ records, faults, quirks: { ...PAGES, ...quirks }, seed: 7 });
  const sources = new Sources({ ...source, rate: Number.POSITIVE_INFINITY, backOffMs: 2 });
  onTestFinished(async () => {
    await sources.close();
    await source.close();
  });
  const outcomes: Outcome[] = [];
  for (const wallet of someWallets()) {
    const place = { wallet, folder: join(out, `wallet-${wallet}`) };
    try {
      const { manifest } = await fetchWallet(wallet, { sources, out });
      expect(manifest.complete).toBe(manifest.missing.length === 0);
      outcomes.push(
        manifest.complete
          ? { ...place, kind: 'complete' }
          : { ...place, kind: 'incomplete', missing: manifest.missing },
      );
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      outcomes.push({ ...place, kind: 'failed', message: error.message });
    }
  }
  return outcomes;
}

/** The records of the folders whose ledgers were found right, as text. */
const right = new Set<string>();

/** The records that a folder holds: all that ingest reads of it. */
function recordsIn(path: string): string {
  const names = readdirSync(path).filter((name) => name.endsWith('.ndjson'));
  return names.map((name) => `${name}\n${readFileSync(join(path, name), 'utf8')}`).join('\n');
}

/**
 * Every wallet whose fetch is said to be complete has the ledger of the whole raw sample. Records that are those of an
 * earlier fetch, byte for byte, have its ledger.
 */
async function expectTruth(outcomes: readonly Outcome[]): Promise<void> {
  const complete = outcomes.filter(({ kind }) => kind === 'complete');
  const fresh = complete.filter(({ folder }) => !right.has(recordsIn(folder)));
  if (fresh.length === 0) return;
  const data = await temporaryFolder();
  await ingest({ folder: data, inputs: fresh.map(({ folder }) => folder) });
  const ledgers = await ledgersOf(data);
  for (const { wallet, folder } of fresh) {
    expect(ledgers.get(wallet), wallet).toEqual(truth.get(wallet));
    right.add(recordsIn(folder));
  }
}

const kindsOf = (outcomes: readonly Outcome[]) => new Set(outcomes.map(({ kind }) => kind));

/** Faults that a fetch gets over. */
const OVERCOME: readonly Fault[][] = [
  [],
  [{ kind: 'too-many' }],
  [{ kind: 'retry-after', share: 0.01 }],
  [{ kind: 'server-error' }],
  [{ kind: 'cut' }],
  [{ kind: 'reset' }],
  [{ kind: 'slow', share: 0.05 }],
  [{ kind: 'drift' }],
  [{ kind: 'refuse-cursor', on: /activity/ }],
  [{ kind: 'absent', on: /^\/v2\/activity/ }],
  [{ kind: 'repeat', on: /activity/, after: 2 }],
  [{ kind: 'unended', on: /activity/, after: 2 }],
  [{ kind: 'end-early', on: /activity/, after: 2 }],
  [{ kind: 'too-many' }, { kind: 'cut' }, { kind: 'server-error' }, { kind: 'reset', share: 0.1 }],
];

describe(`${MET} of ${WALLETS} wallets`, () => {
  test.each(OVERCOME.map((faults) => [faults.map(({ kind }) => kind).join(' and ') || 'no fault', faults] as const))(
    '%s: every fetch is complete, and gives the ledger of the raw sample',
    async (_, faults) => {
      const outcomes = await fetchAll(await temporaryFolder(), faults);
      expect(outcomes.filter(({ kind }) => kind !== 'complete')).toEqual([]);
      expect(outcomes).toHaveLength(MET);
      await expectTruth(outcomes);
    },
  );

  test('v1 with an offset cap that cuts every second page: complete all the same', async () => {
    const outcomes = await fetchAll(await temporaryFolder(), [{ kind: 'absent', on: /^\/v2\/activity/ }], {
      activityOffset: 100,
    });
    expect(kindsOf(outcomes)).toEqual(new Set(['complete']));
    await expectTruth(outcomes);
  });

  test('activity that is stuck at a page: from when on it is missing is told, and what is complete is right', async () => {
    const outcomes = await fetchAll(await temporaryFolder(), [{ kind: 'stuck', on: /activity/, after: 2 }]);
    expect(kindsOf(outcomes)).toEqual(new Set(['complete', 'incomplete']));
    for (const outcome of outcomes) {
      if (outcome.kind !== 'incomplete') continue;
      expect(outcome.missing).toMatchObject([
        { what: 'activity', from: expect.any(String), until: expect.any(String) },
      ]);
    }
    await expectTruth(outcomes);
  });

  test.each([
    [{ kind: 'absent', on: /markets/ }, 'markets'],
    [{ kind: 'down', on: /keyset/ }, 'markets'],
    [{ kind: 'absent', on: /resolutions/ }, 'resolutions'],
    [{ kind: 'never-json', on: /tokens/ }, 'tokens'],
  ] as [Fault, string][])('%o: the activity is kept, and what is missing is told', async (fault, what) => {
    const out = await temporaryFolder();
    const outcomes = await fetchAll(out, [fault]);
    expect(kindsOf(outcomes)).not.toContain('failed');
    const told = outcomes.flatMap((outcome) => (outcome.kind === 'incomplete' ? outcome.missing : []));
    expect(new Set(told.map((each) => each.what))).toContain(what);
    await expectTruth(outcomes);
  });

  test.each(['down', 'never-json'] as const)('a source that is %s: an error, and no folder', async (kind) => {
    const out = await temporaryFolder();
    const outcomes = await fetchAll(out, [{ kind }]);
    expect(kindsOf(outcomes)).toEqual(new Set(['failed']));
    expect(readdirSync(out)).toEqual([]);
  });

  test('a market that no source has is named in what is missing', async () => {
    const hidden = await simulatedRecords(
      join(folder, 'sample'),
      { markets: 60, wallets: WALLETS, fills: 6_000, seed: 11 },
      { hiddenEverywhere: 1 },
    );
    const [market] = hidden.markets;
    const [wallet = ''] = hidden.byMarket.get(market?.condition ?? '')?.map((row) => row.wallet) ?? [];
    const source = await startPublicSource({ records: hidden });
    const sources = new Sources({ ...source, rate: Number.POSITIVE_INFINITY });
    const { manifest } = await fetchWallet(wallet, { sources, out: await temporaryFolder() });
    await Promise.all([sources.close(), source.close()]);
    expect(manifest).toMatchObject({
      complete: false,
      missing: [{ what: 'markets', why: expect.stringContaining(market?.condition ?? '') }],
    });
  });
});

test('nothing private is stored, and nobody asks for transfers or tips', async () => {
  const source = await startPublicSource({ records });
  const sources = new Sources({ ...source, rate: Number.POSITIVE_INFINITY });
  onTestFinished(async () => {
    await sources.close();
    await source.close();
  });
  const out = await temporaryFolder();
  for (const wallet of [...records.byWallet.keys()].slice(0, 10)) await fetchWallet(wallet, { sources, out });
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => /json$/.test(name));
  expect(files.length).toBeGreaterThan(30);
  for (const name of files) {
    const text = readFileSync(join(out, name), 'utf8');
    expect(text).not.toMatch(/PRIVATE-(NAME|PSEUDONYM|BIO|X|IMAGE-)/);
    expect(text).not.toMatch(/"type":\s*"(DEPOSIT|WITHDRAWAL|TIP)"/);
  }
  for (const { query } of source.requests.of('/v2/activity')) {
    expect(query.get('exclude_deposits_withdrawals')).not.toBe('false');
    expect(query.get('type') ?? '').not.toMatch(/TIP|DEPOSIT|WITHDRAWAL/);
  }
  expect(source.requests.mostInFlight).toBeLessThanOrEqual(4);
  expect(new Set(source.requests.all.map(({ userAgent }) => userAgent))).toEqual(
    new Set([expect.stringMatching(/^oddslab\/\d/)]),
  );
});
