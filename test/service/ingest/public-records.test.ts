import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatOf } from '../../../src/service/ingest/formats.js';
import { readHead } from '../../../src/service/ingest/head.js';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { sourceOf } from '../../../src/service/ingest/stage.js';
import { Database } from '../../../src/service/store/database.js';
import fc, { cases } from '../../support/fast-check.js';
import { isAbsent } from '../../support/is-absent.js';
import { activity, conditionOf, ended, gammaMarket, tokenOf, trade, walletOf } from '../../support/raw-records.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import { clobMarket, csvOf, dataPage, dataV2, gammaEvents, polyTradeV2 } from './other-formats.js';
import { tablesOf } from './tables-of.js';

const FILL = { wallet: 1, market: 1, side: 0, does: 'BUY', size: 10, price: 0.4, time: 1_767_225_600 } as const;

/** Rows of a table of what some files give, each a list of records or the content itself. */
async function rowsOf(table: string, ...contents: unknown[]): Promise<Record<string, unknown>[]> {
  const folder = await temporaryFolder();
  const inputs = await Promise.all(contents.map((content, n) => put(folder, `${n}.dat`, content)));
  await ingest({ folder: join(folder, 'data'), inputs });
  return (await tablesOf(join(folder, 'data'), [table]))[table] as Record<string, unknown>[];
}

const byNumber = (a: Record<string, unknown>, b: Record<string, unknown>) => Number(a.number) - Number(b.number);

describe('a market keeps', () => {
  const tag = (label: string, more: object = {}) => ({ id: '1', label, slug: label.toLowerCase(), ...more });
  const tags = [tag('All'), tag('Hide', { forceHide: true }), tag('Sports'), tag('Tennis')];

  it('the category that its own record or its event states, else that of its tags or of its event’s, but no housekeeping tag', async () => {
    const markets = [
      gammaMarket(1, { category: 'NFTs', tags }),
      gammaMarket(2, { tags: [tag('All')], events: [{ slug: 'e', tags }] }),
      gammaMarket(3, { tags: [tag('All')] }),
      gammaMarket(4, { category: '' }),
      gammaMarket(7, { category: '', tags, events: [{ slug: 'e', category: 'Politics', tags }] }),
      gammaMarket(8, { category: 'NFTs', events: [{ slug: 'e', category: 'Art' }] }),
    ];
    const found = await rowsOf(
      'markets',
      markets,
      gammaEvents([gammaMarket(5), gammaMarket(6, { category: 'Art' })], tags),
      gammaEvents([gammaMarket(9)], tags).map((event) => ({ ...event, category: 'Politics' })),
    );
    expect(found.sort(byNumber).map(({ category }) => category)).toEqual([
      'NFTs',
      'Sports',
      null,
      null,
      'Sports',
      'Art',
      'Politics',
      'NFTs',
      'Politics',
    ]);
    const clob = { ...clobMarket(gammaMarket(1)), tags: ['All', ' ', 'Politics', 'US'] };
    expect(await rowsOf('markets', [clob])).toMatchObject([{ category: 'Politics' }]);
  });

  it('the slug, and the id of exclusion, of the event around it', async () => {
    const event = { events: [{ slug: 'which-one' }], negRisk: true };
    const [around] = gammaEvents([gammaMarket(1, event), gammaMarket(2, { ...event, negRiskMarketID: '0xAB' })]);
    const found = await rowsOf('markets', [{ ...around, negRiskMarketID: '0xCD' }]);
    expect(found.sort(byNumber)).toMatchObject([
      { event_slug: 'which-one', neg_risk_id: '0xcd' },
      { event_slug: 'which-one', neg_risk_id: '0xab' },
    ]);
  });

  it('its fee schedule, none if it takes no fees, and nothing if it does not say', async () => {
    const feeSchedule = { exponent: 1, rate: 0.07, takerOnly: true, rebateRate: 0.2 };
    const stated = [{ feesEnabled: true, feeSchedule }, { feesEnabled: false }, {}, { feeSchedule: 'soon' }];
    const found = await rowsOf(
      'markets',
      stated.map((fees, n) => gammaMarket(n, fees)),
    );
    const fees = ({ fee_rate, fee_exponent, fee_taker_only }: Record<string, unknown>) => [
      fee_rate,
      fee_exponent,
      fee_taker_only,
    ];
    expect(found.sort(byNumber).map(fees)).toEqual([
      [0.07, 1, true],
      [0, 1, true],
      [null, null, null],
      [null, null, null],
    ]);
  });

  it('whether its close is only its end date, also where another record states the close', async () => {
    const closed = { ...ended(0), closedTime: undefined };
    const markets = [
      gammaMarket(1, ended(0)),
      gammaMarket(2, closed),
      gammaMarket(3),
      gammaMarket(4, { ...closed, endDate: '' }),
    ];
    const found = (await rowsOf('markets', markets)).sort(byNumber);
    expect(found.map(({ end_close }) => end_close)).toEqual([false, true, null, null]);
    const other = clobMarket(gammaMarket(4, ended(0)));
    const filled = await rowsOf('markets', [markets[3]], [{ ...other, end_date_iso: '2026-01-31' }]);
    expect(filled).toMatchObject([{ end_close: true, close_ms: BigInt(Date.UTC(2026, 0, 31)) }]);
  });

  it.each([
    ['0.5', '0.5', 2],
    ['0.4995', '0.5005', 2],
    ['0.501', '0.499', 2],
    ['0.498', '0.502', null],
    ['0.58', '0.42', null],
    ['0', '0', null],
  ])('the result that prices of %s and %s tell', async (a, b, winner) => {
    const market = gammaMarket(1, { ...ended(0), outcomePrices: JSON.stringify([a, b]) });
    expect(await rowsOf('markets', [market])).toMatchObject([{ winner }]);
    expect(await rowsOf('markets', [clobMarket(market)])).toMatchObject([{ winner }]);
  });
});

it('reads markets of Protocol V2, whose tokens are positions, and joins ids of 62 digits with those of 64', async () => {
  const folder = await temporaryFolder();
  const short = `0x${'02ab'.repeat(15)}ab`;
  const long = `${short}00`;
  const positions = { clobTokenIds: null, positionIds: [tokenOf(1, 0), tokenOf(1, 1)], version: 'v2' };
  const [bare, paged] = [folder, await temporaryFolder()].map((each) => join(each, 'data')) as [string, string];
  const runs = [
    [
      bare,
      [gammaMarket(1, { ...positions, conditionId: short, ...ended(0) })],
      [{ ...trade(FILL), conditionId: long }],
    ],
    [
      paged,
      { events: gammaEvents([gammaMarket(1, { ...positions, conditionId: long, ...ended(0) })], []) },
      dataPage({ ...dataV2(trade(FILL)), condition_id: short.toUpperCase().replace('0X', '0x') }),
    ],
  ] as const;
  for (const [data, markets, fills] of runs) {
    const inputs = [await put(folder, 'm.json', markets), await put(folder, 't.json', fills)];
    const { version } = await ingest({ folder: data, inputs });
    expect(version.manifest.doubtful).toEqual({});
  }
  const tables = await tablesOf(bare);
  expect(tables.wallet_market_days).toMatchObject([
    { condition_id: long, pnl: 0n },
    { condition_id: long, pnl: 6_000_000n },
  ]);
  expect(await tablesOf(paged)).toEqual(tables);
});

const resolution = (n: number, payouts: unknown, changes: object = {}) => ({
  question_id: conditionOf(n + 900),
  condition_id: conditionOf(n),
  status: 'resolved',
  payouts,
  resolved_at: 1_777_600_000,
  ...changes,
});

const token = (n: number, side: 0 | 1, changes: object = {}) => ({
  token_id: tokenOf(n, side),
  condition_id: conditionOf(n),
  outcome_index: side,
  opposite_token_id: tokenOf(n, side === 0 ? 1 : 0),
  event_id: '77',
  neg_risk: true,
  neg_risk_question_index: 3,
  ...changes,
});

describe('tokens and resolutions', () => {
  it('stay from version to version, equal ones once, in any form', async () => {
    const folder = await temporaryFolder();
    const data = join(folder, 'data');
    const tokens = [token(1, 0), token(1, 1, { neg_risk: null, neg_risk_question_index: null, event_id: '' })];
    const results = [
      resolution(1, [1_000_000, 0]),
      resolution(2, ['500000', '500000'], { resolved_at: '2026-05-01T01:46:40Z' }),
    ];
    const files = [
      dataPage(...tokens),
      tokens.map((each) => JSON.stringify(each)).join('\n'),
      results,
      dataPage(...results),
    ];
    for (const [n, file] of files.entries()) {
      const { reports } = await ingest({ folder: data, inputs: [await put(folder, `${n}.json`, file)] });
      expect(reports).toMatchObject([{ rows: 2, kept: 2, skipped: {} }]);
    }
    const [t, condition_id] = [{ condition_id: conditionOf(1) }, conditionOf];
    expect(await tablesOf(data, ['tokens', 'resolutions'])).toEqual({
      tokens: [
        {
          ...t,
          token: tokenOf(1, 0),
          side: 0,
          event_id: '77',
          neg_risk: true,
          question_index: 3,
          opposite: tokenOf(1, 1),
        },
        {
          ...t,
          token: tokenOf(1, 1),
          side: 1,
          event_id: null,
          neg_risk: null,
          question_index: null,
          opposite: tokenOf(1, 0),
        },
      ],
      resolutions: [
        { condition_id: condition_id(1), payout_a: 1, payout_b: 0, resolved_ms: 1_777_600_000_000n },
        { condition_id: condition_id(2), payout_a: 0.5, payout_b: 0.5, resolved_ms: 1_777_600_000_000n },
      ],
    });
  });

  it('are left out where they are wrong, each for its reason, and a market without a result without a doubt', async () => {
    const folder = await temporaryFolder();
    const wrong: [string, object][] = [
      ['token_id is missing', token(1, 0, { token_id: '' })],
      ['token_id is a rounded number, which no longer tells the token', token(1, 0, { token_id: '7.1e+76' })],
      ['condition_id is missing or malformed', token(1, 0, { condition_id: '0x12' })],
      ['outcome_index is neither 0 nor 1', token(1, 0, { outcome_index: 999 })],
      ['condition_id is missing or malformed', resolution(1, [1_000_000, 0], { condition_id: null })],
      ['payouts are not two', resolution(1, [0, 0, 1_000_000])],
      ['payouts are not two', resolution(1, null)],
      ['payouts do not add up to 1000000 millionths of a dollar', resolution(1, [1, 0])],
      ['payouts do not add up to 1000000 millionths of a dollar', resolution(1, ['x', 0])],
      ['resolved_at is missing or malformed', resolution(1, [1_000_000, 0], { resolved_at: 'soon' })],
    ];
    const good = await put(folder, 'good.json', [resolution(9, [0, 1_000_000])]);
    const inputs = await Promise.all(wrong.map(([, record], n) => put(folder, `${n}.json`, [record])));
    const { reports } = await ingest({ folder: join(folder, 'data'), inputs: [good, ...inputs] });
    expect(reports.slice(1).map(({ skipped }) => skipped)).toEqual(wrong.map(([reason]) => ({ [reason]: 1 })));
    const open = [resolution(5, [], { resolved_at: null, status: 'proposed' }), resolution(9, [0, 1_000_000])];
    const pending = await put(folder, 'open.json', open);
    const strict = await ingest({ folder: join(folder, 'strict'), inputs: [pending], strict: true });
    expect(strict.reports).toMatchObject([{ kept: 1, skipped: { 'market: not resolved yet': 1 } }]);
  });

  it("complete poly_data's fills of a market that no record tells", async () => {
    const folder = await temporaryFolder();
    const fills = await put(folder, 't.csv', csvOf([polyTradeV2(FILL), polyTradeV2({ ...FILL, market: 2, side: 1 })]));
    const data = join(folder, 'data');
    const aside = 'fill kept aside: no input has a market of its number (ingest the markets, too)';
    expect((await ingest({ folder: data, inputs: [fills] })).version.manifest.doubtful).toEqual({ [aside]: 2 });
    // Of the first market one token is not known, and its fill therefore stays aside.
    const tokens = await put(folder, 'tokens.json', dataPage(token(1, 0), token(2, 0), token(2, 1)));
    expect((await ingest({ folder: data, inputs: [tokens] })).version.manifest.doubtful).toMatchObject({ [aside]: 1 });
    const { events } = await tablesOf(data, ['events']);
    expect(events).toMatchObject([{ condition_id: conditionOf(2), token: tokenOf(2, 1) }]);
  });
});

describe('activity', () => {
  it('of conversions and migrations is kept without a token; what moved dollars alone is left out without a doubt', async () => {
    const folder = await temporaryFolder();
    const at = { size: 5, conditionId: conditionOf(1) };
    const kept = [activity('CONVERSION', 1, at), activity('MIGRATION', 1, { ...at, size: 7 })];
    const moved = ['TIP', 'DEPOSIT', 'WITHDRAWAL'].map((type) => activity(type, 1, { size: 1 }));
    const rows = await rowsOf('events', dataPage(...[...kept, ...moved].map(dataV2)));
    expect(rows).toMatchObject([
      { kind: 2, condition_id: conditionOf(1), token: null, shares: 5_000_000n },
      { kind: 5, condition_id: conditionOf(1), token: null, shares: 7_000_000n },
    ]);
    const inputs = [
      await put(folder, 'm.json', [gammaMarket(1)]),
      await put(folder, 'a.json', [{ ...trade(FILL), type: 'TRADE' }, ...moved]),
    ];
    const { reports } = await ingest({ folder: join(folder, 'data'), inputs, strict: true });
    expect(reports[1]?.skipped).toEqual({
      'type DEPOSIT: dollars that moved, no trade': 1,
      'type TIP: dollars that moved, no trade': 1,
      'type WITHDRAWAL: dollars that moved, no trade': 1,
    });
  });

  it('of combos counts a fill once in overlapping pages, by its id within the wallet, and with one that lacks it', async () => {
    const combo = (id: string, wallet = 1, changes: object = {}) => ({
      ...dataV2(trade({ ...FILL, wallet })),
      id,
      type: 'TRADE',
      legs: [{ leg_condition_id: conditionOf(1), token_id: tokenOf(1, 0) }],
      ...changes,
    });
    const [a, b, c] = [combo('0xaa-1'), combo('0xaa-2'), combo('0xaa-1', 2)];
    const rows = await rowsOf(
      'events',
      dataPage(a, b),
      dataPage(b, c, combo('')),
      dataPage(combo('0xaa-1', 1, { title: 'x' })),
    );
    expect(rows.map(({ wallet }) => wallet).sort()).toEqual([1, 1, 2].map(walletOf));
  });
});

/** A list cut into pieces at some places. */
function cut<T>(list: readonly T[], places: readonly number[]): T[][] {
  const ends = [...places.map((place) => place % (list.length + 1)), list.length].sort((a, b) => a - b);
  return ends.map((end, at) => list.slice(at === 0 ? 0 : ends[at - 1], end));
}

it('reads the same records however they are cut into pages, and pages into lines or lists', async () => {
  const folder = await temporaryFolder();
  const db = await Database.open(':memory:');
  onTestFinished(() => db.close());
  const markets = Array.from({ length: 7 }, (_, n) => gammaMarket(n, n % 2 ? ended(0) : {}));
  const fills = Array.from({ length: 7 }, (_, n) => ({ ...trade({ ...FILL, time: FILL.time + n }), type: 'TRADE' }));
  const kinds = [
    { key: 'markets', records: markets },
    { key: 'events', records: gammaEvents(markets) },
    { key: 'data', records: markets.map(clobMarket) },
    { key: 'data', records: fills.map(dataV2) },
    { key: 'data', records: [token(1, 0), token(1, 1), token(2, 0)] },
  ];
  const read = async (content: string) => {
    const path = await put(folder, 'in.dat', content);
    const head = await readHead(path, path);
    const format = formatOf(head.names) ?? expect.unreachable();
    const rows = await db.rows(`FROM (${format.select(sourceOf(path, head, format))})`);
    return { format: format.id, rows };
  };
  const place = fc.nat({ max: 30 });
  const run = fc.record({
    kind: fc.constantFrom(...kinds),
    places: fc.array(place, { maxLength: 4 }),
    pretty: fc.boolean(),
    between: fc.constantFrom('\n', '\n\n', ' '),
    isList: fc.boolean(),
    members: fc.constantFrom({}, { limit: 5, next_cursor: 'x"y' }, { pagination: { limit: 5, next_cursor: null } }),
    isFirst: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(run, async ({ kind: { key, records }, places, pretty, between, isList, members, isFirst }) => {
      const whole = await read(JSON.stringify(records));
      // The first page tells the format and therefore has a record.
      const pieces = cut(records as object[], places);
      const pages = [
        ...pieces.filter((piece) => piece.length > 0),
        ...pieces.filter((piece) => piece.length === 0),
      ].map((list) => (isFirst ? { ...members, [key]: list } : { [key]: list, ...members }));
      const space = pretty ? 1 : undefined;
      const content = isList
        ? JSON.stringify(pages, null, space)
        : pages.map((page) => JSON.stringify(page, null, space)).join(between);
      expect(await read(content)).toEqual(whole);
    }),
    { numRuns: cases(120) },
  );
});

it('takes no record for a page because it has a list of markets or events', async () => {
  const [event] = gammaEvents([gammaMarket(1)]);
  const { id, slug, markets, tags } = event ?? {};
  const { events, ...rest } = gammaMarket(2);
  const found = await rowsOf('markets', [{ id, slug, markets, tags }], {
    conditionId: conditionOf(2),
    events,
    ...rest,
  });
  expect(found.sort(byNumber)).toMatchObject([{ event_slug: 'event-1' }, { event_slug: 'event-2' }]);
});

it('reads a first record of more than a megabyte, as of an event with many markets', async () => {
  const description = 'x'.repeat(30_000);
  const markets = Array.from({ length: 60 }, (_, n) => gammaMarket(n + 1, { description, events: [{ slug: 'e' }] }));
  expect(await rowsOf('markets', gammaEvents(markets))).toHaveLength(60);
  expect(await rowsOf('markets', { events: gammaEvents(markets) })).toHaveLength(60);
});

it('names the line of an event whose market is wrong, and of a page without its list, and passes over events without markets', async () => {
  const folder = await temporaryFolder();
  const [good, bad] = gammaEvents([gammaMarket(1), gammaMarket(2, { conditionId: '' })]);
  const none = { ...good, slug: 'none', markets: [] };
  const pages = [
    { events: [good, none] },
    { error: 'busy' },
    { events: [bad] },
    { events: [{ ...good, markets: 'x' }] },
    { events: [] },
  ];
  const input = await put(folder, 'in.json', pages.map((page) => JSON.stringify(page)).join('\n'));
  const { reports, examples } = await ingest({ folder: join(folder, 'data'), inputs: [input] });
  const reason = 'conditionId is missing or malformed';
  expect(reports).toMatchObject([{ rows: 4, kept: 1, skipped: { [reason]: 3 } }]);
  expect(examples.get(reason)).toMatchObject([
    { record: 3, line: 2 },
    { record: 4, line: 3 },
    { record: 5, line: 4 },
  ]);
});

describe('of the published shapes', () => {
  const folder = fileURLToPath(new URL('../../../../shared/data/shapes/', import.meta.url));
  const formats: Record<string, [id: string, rows?: number]> = {
    'gamma-market.json': ['gamma'],
    'gamma-market-protocol-v2.json': ['gamma'],
    'gamma-markets-keyset-page.json': ['gamma'],
    'gamma-event.json': ['gamma-events'],
    'gamma-events-keyset-page.json': ['gamma-events'],
    'clob-market.json': ['clob'],
    'clob-markets-page.json': ['clob'],
    'data-v1-trades.json': ['trades'],
    'data-v2-trades-page.json': ['trades'],
    'data-v1-activity.json': ['activity', 10],
    'data-v2-activity-page.json': ['activity', 8],
    'data-v2-combo-activity-page.json': ['activity'],
    'data-v2-tokens.json': ['tokens'],
    'data-v2-resolutions.json': ['resolutions'],
  };
  it.skipIf(isAbsent(folder, 'the published shapes of records'))(
    'each is read, as it is or a record a line',
    async () => {
      for (const [name, [format_id, rows = 1]] of Object.entries(formats)) {
        const scratch = await temporaryFolder();
        const content = JSON.parse(await readFile(join(folder, name), 'utf8'));
        const records = [content.data ?? content.markets ?? content.events ?? content].flat();
        const lines = await put(
          scratch,
          'lines.ndjson',
          records.map((each: object) => JSON.stringify(each)).join('\n'),
        );
        for (const input of [join(folder, name), lines]) {
          const { reports } = await ingest({ folder: await temporaryFolder(), inputs: [input] });
          expect(reports, name).toMatchObject([{ format_id, rows }]);
          const doubtful = Object.keys(reports[0]?.skipped ?? {}).filter((reason) => !reason.includes('income'));
          expect(doubtful, name).toEqual([]);
        }
      }
    },
  );

  it.skipIf(isAbsent(folder, "poly_data's rows"))(
    "poly_data's row is read beside the market that it names",
    async () => {
      const scratch = await temporaryFolder();
      const { processed_trades_csv_header, row } = JSON.parse(
        await readFile(join(folder, 'poly-data-v2-rows.json'), 'utf8'),
      );
      const inputs = [
        join(folder, 'gamma-market.json'),
        await put(scratch, 'trades.csv', `${processed_trades_csv_header}\n${row}\n`),
      ];
      const { version, reports } = await ingest({ folder: join(scratch, 'data'), inputs });
      expect(reports[1]).toMatchObject({ format_id: 'poly-trades', rows: 1, kept: 1 });
      expect(version.manifest.doubtful).toEqual({});
      expect(version.manifest.totals).toMatchObject({ events: 1, wallets: 1 });
    },
  );
});
