import { afterAll, beforeAll, expect, it } from 'vitest';
import { DATASETS } from '../../../src/contract/dataset.js';
import type { Problem } from '../../../src/contract/envelope.js';
import type { QueryHandler } from '../../../src/service/web/desk.js';
import type { Browser } from './browser.js';
import { signedIn } from './signed-in.js';
import { type Dashboard, startDashboard } from './start-dashboard.js';

let dashboard: Dashboard;
let browser: Browser;
/** What the service was asked, and what it says. */
const asked: unknown[] = [];
type Outcome = Awaited<ReturnType<QueryHandler>>;
let outcome: Outcome | ((request: object) => Outcome);
beforeAll(async () => {
  dashboard = await startDashboard({
    query: async (request, account) => {
      asked.push([request, account]);
      return typeof outcome === 'function' ? outcome(Object(request)) : outcome;
    },
  });
  browser = await signedIn(dashboard, 'ann@example.org');
});
afterAll(() => dashboard.close());

const WALLET = `0x${'5'.repeat(40)}`;
const page = (results: Record<string, unknown>[], has_more = false, offset = 0) => ({
  answer: { pagination: { limit: 2, offset, has_more }, data: { results } },
  version: 'v1',
});

it('has a field for each filter of each dataset, and asks nothing by itself', async () => {
  for (const { name, parameters, title } of DATASETS) {
    const { status, text } = await browser.get(`/dashboard/try/${name}`);
    expect([status, text.includes(title), text.includes('<table')]).toEqual([200, true, false]);
    for (const parameter of [...parameters.map((each) => each.name), 'limit', 'offset']) {
      expect(text).toMatch(new RegExp(`<label for="${parameter}">`));
      expect(text).toMatch(
        new RegExp(`<(input|select)[^>]* id="${parameter}" name="${parameter}" aria-describedby="${parameter}-hint"`),
      );
    }
  }
  expect(asked).toEqual([]);
  expect((await browser.get('/dashboard/try/nothing')).status).toBe(404);
  expect((await browser.get('/dashboard/try')).location).toBe('/dashboard/try/markets');
});

it('shows profit by market with what tells the rows apart: in the table, the CSV and the bars', async () => {
  const record = (question: string, pnl: string, id: string) => ({
    ...{ date: '2026-01-01T00:00:00Z', proxy_wallet: WALLET, invested: '10', pnl, trades: 2, wins: 0, losses: 1 },
    ...{ win_rate: '0', condition_id: `0x${id.repeat(64)}`, question, event_slug: 'mayor', category: 'Politics' },
  });
  outcome = page([record('Who wins?', '-3', '1'), record('Who loses?', '5', '2')]);
  const address = `/dashboard/try/pnl?wallet=${WALLET}&by=market&granularity=all&run=1`;
  const { text } = await browser.get(address);
  for (const name of ['condition_id', 'question', 'event_slug', 'category'])
    expect(text).toMatch(new RegExp(`>${name}</th>`));
  expect(text).toContain('<span class="name">Who loses?</span>');
  const csv = await browser.get(address.replace('pnl?', 'pnl/csv?'));
  expect(csv.text).toContain(`win_rate,condition_id,question,event_slug,category\r\n`);
  expect(csv.text).toContain('Who wins?,mayor,Politics');
  expect(asked.splice(0)).toHaveLength(2);
});

it('asks what was filled in, and shows the answer as a table with the code for it', async () => {
  const record = {
    date: '2026-01-01T00:00:00Z',
    proxy_wallet: WALLET,
    invested: '10.5',
    pnl: '-3',
    trades: 2,
    wins: 0,
    losses: null,
    win_rate: '',
  };
  outcome = page([{ ...record, stray: 'x' }, record], true);
  const { status, text } = await browser.get(
    `/dashboard/try/pnl?wallet=+${WALLET}&granularity=1w&start_time=&limit=2&offset=0&run=1`,
  );
  expect(status).toBe(200);
  const request = { agent_id: 569, params: { wallet: WALLET, granularity: '1w' }, pagination: { limit: 2, offset: 0 } };
  expect(asked.splice(0)).toEqual([[request, expect.stringMatching(/^[0-9a-f]{32}$/)]]);
  const [row = ''] = /<tbody><tr>.*?<\/tr>/s.exec(text) ?? [];
  expect(row.replaceAll(/<[^>]*>/g, '|').replaceAll(/\|+/g, '|')).toBe(`|2026-01-01|10.5|-3|2|0|–|–|${WALLET}|`);
  expect(row).toContain('<td class="number loss">-3</td>');
  expect(text).toContain('Authorization: Bearer $ODDSLAB_API_KEY');
  expect(text).toContain('client.pnl(');
  expect(text).toContain('<option selected>1w</option>');
  expect(text).toContain(
    `href="/dashboard/try/pnl?wallet=+${WALLET}&amp;granularity=1w&amp;limit=2&amp;offset=2&amp;run=1#result"`,
  );
  expect(text).not.toContain('rel="prev"');
});

it('shows numbers with separators and days as days, draws the records, and gives them as CSV', async () => {
  const record = {
    proxy_wallet: WALLET,
    invested: '1234567.500000',
    trades: 12_000,
    wins: 1,
    losses: 0,
    win_rate: '100',
  };
  const records = [
    { ...record, date: '2026-01-01T00:00:00Z', pnl: '-2500.25' },
    { ...record, date: '2026-01-02T00:00:00Z', pnl: '1000' },
    { ...record, date: '2026-01-02T00:00:00Z', pnl: '250', win_rate: '=1+1' },
  ];
  outcome = page(records);
  const { text } = await browser.get(`/dashboard/try/pnl?wallet=${WALLET}&limit=3&run=1`);
  asked.splice(0);
  expect(text).toContain('<td class="number">1,234,567.500000</td>');
  expect(text).toContain('<td class="number">12,000</td>');
  expect(text).toContain('aria-label="Chart: pnl, 2026-01-01 to 2026-01-02, from -2,500 to 1,250"');
  expect(text).toContain('<title>2026-01-02: 1,250</title>');
  // The gain is a third of the whole height of 180, which reaches from 1250 to -2500.25.
  expect([...text.matchAll(/<rect [^>]* height="([\d.]+)"/g)].map(([, height]) => height)).toEqual(['120', '60']);
  const [, address = ''] = /download href="([^"]+)"/.exec(text) ?? [];
  const csv = await browser.get(address.replaceAll('&amp;', '&'));
  expect(csv.status).toBe(200);
  expect(asked.splice(0)).toMatchObject([
    [{ params: { wallet: WALLET }, pagination: { limit: 1000, offset: 0 } }, expect.any(String)],
  ]);
  expect(csv.text.split('\r\n')).toEqual([
    'date,proxy_wallet,invested,pnl,trades,wins,losses,win_rate',
    `2026-01-01T00:00:00Z,${WALLET},1234567.500000,-2500.25,12000,1,0,100`,
    `2026-01-02T00:00:00Z,${WALLET},1234567.500000,1000,12000,1,0,100`,
    `2026-01-02T00:00:00Z,${WALLET},1234567.500000,250,12000,1,0,'=1+1`,
    '',
  ]);
  outcome = page([
    { question: 'Will it <rain>, "or"?', volume_total: '12' },
    { question: '@snow', volume_total: '1e3' },
  ]);
  const markets = await browser.get('/dashboard/try/markets?run=1');
  expect(markets.text).toContain('<span class="name">Will it &lt;rain&gt;, &quot;or&quot;?</span>');
  expect((await browser.get('/dashboard/try/markets/csv')).text).toContain(`"Will it <rain>, ""or""?"`);
  expect((await browser.get('/dashboard/try/nothing/csv')).status).toBe(404);
  asked.splice(0);
});

it('downloads the records of all pages, up to a limit that it states', async () => {
  const day = (at: number) => new Date(Date.UTC(2020, 0, 1 + at)).toISOString();
  const record = (at: number) => ({ date: day(at), proxy_wallet: WALLET, pnl: '1' });
  let versionAt = (_offset: number) => 'v1';
  const answerOf = (total: number) => (request: object) => {
    const { limit, offset } = Reflect.get(request, 'pagination') as { limit: number; offset: number };
    const results = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, at) =>
      record(offset + at),
    );
    const pagination = { limit, offset, has_more: offset + limit < total };
    return { answer: { pagination, data: { results } }, version: versionAt(offset) };
  };
  outcome = answerOf(2345);
  const { text } = await browser.get(`/dashboard/try/pnl?wallet=${WALLET}&offset=25&run=1`);
  expect(text).toContain('there are more.');
  expect(text).toContain('The CSV has the records of all pages, at most the first 10,000.');
  const [, address = ''] = /download href="([^"]+)"/.exec(text) ?? [];
  const csv = await browser.get(address.replaceAll('&amp;', '&'));
  expect(csv.text.split('\r\n').slice(1, -1)).toEqual(
    Array.from({ length: 2345 }, (_, at) => `${day(at)},${WALLET},,1,,,,`),
  );
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="pnl.csv"');
  outcome = answerOf(10_001);
  const most = await browser.get(address.replaceAll('&amp;', '&'));
  expect(most.text.split('\r\n')).toHaveLength(10_002);
  expect(most.headers.get('content-disposition')).toBe('attachment; filename="pnl-first-10000.csv"');
  versionAt = (offset) => (offset < 2000 ? 'v1' : 'v2');
  const mixed = await browser.get(address.replaceAll('&amp;', '&'));
  expect([mixed.status, mixed.headers.get('content-disposition')]).toEqual([503, null]);
  expect(mixed.text).toContain('The data have changed meanwhile');
  versionAt = () => 'v1';
  outcome = answerOf(3);
  expect((await browser.get(`/dashboard/try/pnl?wallet=${WALLET}&run=1`)).text).not.toContain('The CSV has');
  asked.splice(0);
});

it('places bars by their dates, with gaps where days are missing', async () => {
  const record = (date: string) => ({ date: `${date}T00:00:00Z`, proxy_wallet: WALLET, pnl: '1' });
  outcome = page(['2026-01-01', '2026-01-02', '2026-01-10'].map(record));
  const { text } = await browser.get(`/dashboard/try/pnl?wallet=${WALLET}&run=1`);
  // Ten days: each has a tenth of the width, of which its bar takes four fifths.
  expect([...text.matchAll(/<rect x="([\d.]+%)" width="([\d.]+%)"/g)].map(([, x, width]) => [x, width])).toEqual([
    ['1%', '8%'],
    ['11%', '8%'],
    ['91%', '8%'],
  ]);
  asked.splice(0);
});

it('begins trades with their time, draws their dollars by hour or day, and shows rates of the leaderboard as %', async () => {
  const trade = { id: `${WALLET}-1`, condition_id: '0x1', price: 0.5, side: 'BUY', size: 4, transaction_hash: null };
  const at = (timestamp: string, usd: number) => ({ ...trade, timestamp, proxy_wallet: WALLET, usd });
  const near = [at('2026-01-02T10:59:59Z', 3), at('2026-01-02T10:00:00Z', 4), at('2026-01-01T09:30:00Z', 5)];
  outcome = page(near);
  const hours = (await browser.get('/dashboard/try/trades?run=1')).text;
  expect(hours).toMatch(/<thead><tr><th scope="col" title="[^"]*">timestamp</);
  expect([...hours.matchAll(/<rect [^>]*><title>([^<]*)</g)].map(([, title]) => title)).toEqual([
    '2026-01-01 09:00: 5.00',
    '2026-01-02 10:00: 7.00',
  ]);
  outcome = page([...near, at('2026-01-03T00:00:01Z', 1), at('2026-01-04T23:59:59Z', 2)]);
  const days = (await browser.get('/dashboard/try/trades?run=1')).text;
  expect(days).toContain('aria-label="Chart: usd, 2026-01-01 to 2026-01-04, from 1.00 to 7.00"');
  outcome = page([{ rank: 1, address: WALLET, total_pnl: 5, roi: 0.25, win_rate: 0.5 }]);
  const board = (await browser.get('/dashboard/try/leaderboard?run=1')).text;
  expect([...board.matchAll(/<th scope="col"[^>]*>(\w+)/g)].slice(0, 3).map(([, name]) => name)).toEqual([
    ...['rank', 'address', 'total_pnl'],
  ]);
  expect(board).toContain('<td class="number">25.0%</td>');
  expect(board).toContain('<td class="number">50.0%</td>');
  asked.splice(0);
});

it('says of each wallet what its record lacks, and that one was not seen', async () => {
  const other = `0x${'6'.repeat(40)}`;
  const { answer } = page([]);
  const completeness = { [WALLET]: { seen: true, feeless_fills: 3, fills: 42 }, [other]: { seen: false } };
  outcome = { answer: { ...answer, completeness }, version: 'v1' };
  const { text } = await browser.get(`/dashboard/try/pnl?wallet=${WALLET},${other}&run=1`);
  expect(text).toContain(`<p class="hint"><code>${WALLET}</code>: 3 of 42 fills without fees</p>`);
  expect(text).toContain(`<p class="hint"><code>${other}</code>: not seen: no record mentions it</p>`);
  outcome = page([]);
  expect((await browser.get(`/dashboard/try/pnl?wallet=${WALLET}&run=1`)).text).not.toContain('without fees');
  asked.length = 0;
});

it('takes a date where the wire has seconds, and shows what a link says', async () => {
  outcome = page([]);
  asked.length = 0;
  const paramsAsked = async (query: string) => {
    const { text } = await browser.get(`/dashboard/try/markets?${query}&run=1`);
    const [[request]] = asked.splice(0) as [[{ params: Record<string, string> }]];
    const inputs = [...text.matchAll(/<input type="(\w+)" id="end_date_m[^>]* value="([^"]*)"/g)];
    return [request.params, inputs.map(([, type, value]) => [type, value])];
  };
  expect(await paramsAsked('end_date_min=2026-01-31&end_date_max=2026-01-31')).toEqual([
    { end_date_min: '1769817600', end_date_max: '1769903999' },
    [
      ['date', '2026-01-31'],
      ['date', '2026-01-31'],
    ],
  ]);
  expect(await paramsAsked('end_date_min=2026-01-31T18:30&end_date_max=1769904000')).toEqual([
    { end_date_min: '1769884200', end_date_max: '1769904000' },
    [
      ['text', '2026-01-31T18:30'],
      ['text', '1769904000'],
    ],
  ]);
  expect(await paramsAsked('end_date_min=2026-02-30&end_date_max=')).toEqual([
    { end_date_min: '2026-02-30' },
    [
      ['date', '2026-02-30'],
      ['date', ''],
    ],
  ]);
});

it('puts what a record is about and its numbers first, ids last', async () => {
  const heads = async (name: string) => {
    outcome = page([{}]);
    const { text } = await browser.get(`/dashboard/try/${name}?run=1`);
    return [...text.matchAll(/<th scope="col"[^>]*>(\w+)/g)].map(([, head]) => head);
  };
  expect((await heads('markets')).slice(0, 3)).toEqual(['question', 'volume_total', 'closed']);
  expect((await heads('markets')).slice(-3)).toEqual(['condition_id', 'side_a_token_id', 'side_b_token_id']);
  expect((await heads('pnl')).slice(0, 3)).toEqual(['date', 'invested', 'pnl']);
  expect((await heads('lifetime')).slice(0, 2)).toEqual(['proxy_wallet', 'total_trades']);
});

it('leads to the next page by what was typed', async () => {
  outcome = page([{}, {}], true);
  const { text } = await browser.get('/dashboard/try/markets?market_slug=+a&end_date_max=2026-01-31&limit=2&run=1');
  expect(text).toContain(
    'href="/dashboard/try/markets?market_slug=+a&amp;end_date_max=2026-01-31&amp;limit=2&amp;offset=2&amp;run=1#result"',
  );
});

it('offers a wallet of the data, where one is known', async () => {
  const known = await startDashboard({ example: async () => ({ wallet: WALLET }) });
  const visitor = await signedIn(known, 'ann@example.org');
  const { text } = await visitor.get('/dashboard/try/lifetime');
  expect(text).toContain(
    `<a href="/dashboard/try/lifetime?wallet_address=${WALLET}&amp;run=1#result">Try 0x5555…5555</a>`,
  );
  expect((await visitor.get('/dashboard/try/markets')).text).not.toContain('None at hand?');
  expect((await browser.get('/dashboard/try/pnl')).text).not.toContain('None at hand?');
  await known.close();
});

it('goes back from a later page, and says where nothing matches', async () => {
  outcome = page([], false, 3);
  const { text } = await browser.get('/dashboard/try/markets?limit=2&offset=3&run=1');
  expect(text).toContain('href="/dashboard/try/markets?limit=2&amp;offset=1&amp;run=1#result"');
  expect([text.includes('No record matches from 4 on.'), text.includes('rel="next"')]).toEqual([true, false]);
  outcome = page([]);
  expect((await browser.get('/dashboard/try/markets?run=1')).text).toContain('No record matches.');
});

it('shows what the service refuses beside its field', async () => {
  const problem: Problem = {
    type: 'about:blank',
    title: 'Request not valid',
    status: 422,
    detail: 'The filters of dataset 569 are not valid.',
    errors: [
      { pointer: '/params/wallet', detail: 'is no <wallet>' },
      { pointer: '/pagination/limit', detail: 'must be a whole number' },
      { pointer: '/params/other', detail: 'is no filter' },
    ],
    request_id: '',
  };
  outcome = { problem };
  asked.length = 0;
  const { status, text } = await browser.get('/dashboard/try/pnl?wallet=%3Cx%3E&limit=many&run=1');
  expect(asked).toEqual([
    [{ agent_id: 569, params: { wallet: '<x>' }, pagination: { limit: 'many', offset: 0 } }, expect.anything()],
  ]);
  expect(status).toBe(422);
  expect(text).toContain('id="wallet-error"><span class="unseen">Error: </span>is no &lt;wallet&gt;</p>');
  expect(text).toContain('id="limit-error"');
  expect(text).toContain('value="&lt;x&gt;"');
  expect(text).toContain('<a href="#wallet"><code>wallet</code></a> is no &lt;wallet&gt;');
  expect(text).toContain('<code>/params/other</code> is no filter');
  expect([text.includes('<table'), text.includes('curl')]).toEqual([false, false]);
});

it('escapes whatever the records and the address hold', async () => {
  const evil = `"><img src=x onerror=alert(1)>'</td>`;
  outcome = page([Object.fromEntries(DATASETS[0].columns.map(({ name }) => [name, evil]))]);
  const query = new URLSearchParams([
    ...DATASETS[0].parameters.map(({ name }) => [name, evil]),
    ['limit', evil],
    ['run', evil],
  ]);
  const { text } = await browser.get(`/dashboard/try/markets?${query}`);
  expect(text).not.toMatch(/<img src=x/);
  expect(text).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&lt;/td&gt;');
});

it('leaves the key out of the code where the service takes none', async () => {
  const open = await startDashboard({ open: true });
  const visitor = await signedIn(open, 'ann@example.org');
  const { text } = await visitor.get('/dashboard/try/markets?run=1');
  expect([text.includes('ODDSLAB_API_KEY'), text.includes('curl -s')]).toEqual([false, true]);
  expect((await visitor.get('/dashboard/keys')).text).toContain('This service answers without a key');
  await open.close();
});
