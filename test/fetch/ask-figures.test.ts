import { expect, it, onTestFinished } from 'vitest';
import { askFigures } from '../../src/fetch/ask-figures.js';
import { fetchLeaderboard } from '../../src/fetch/fetch-leaderboard.js';
import { Sources } from '../../src/fetch/sources.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Asked, type Reply, smallSource } from './small-source.js';
import { conditionOf, WALLET } from './small-wallet.js';

async function source(answer: (asked: Asked) => Reply) {
  const { url } = await smallSource(answer);
  const sources = new Sources({ dataApiUrl: url, rate: Number.POSITIVE_INFINITY, retries: 0 });
  onTestFinished(() => sources.close());
  return sources;
}

const position = (n: number, status: string) => ({
  condition_id: conditionOf(n),
  token_id: `${n}`,
  status,
  current_size: 5,
});

/** Positions by the status that is asked for; a status that is not there is refused. */
const positions = (lists: Record<string, object[]>) =>
  source(({ path, query }) => {
    const data = lists[query.get('status') ?? ''];
    if (path !== '/v2/positions' || !data) return { status: 400, json: { error: 'no such thing' } };
    return { json: { data, pagination: { next_cursor: null } } };
  });

it('asks for positions of each status, and counts a token once', async () => {
  const [open, closed, waiting] = [position(1, 'OPEN'), position(2, 'CLOSED'), position(3, 'REDEEMABLE')];
  const statuses = async (lists: Record<string, object[]>) =>
    (await askFigures(await positions(lists), WALLET, [])).positions?.map(({ token_id, status }) => [token_id, status]);
  const all = [
    ['1', 'OPEN'],
    ['3', 'REDEEMABLE'],
    ['2', 'CLOSED'],
  ];
  expect(await statuses({ OPEN: [open], CLOSED: [closed], REDEEMABLE: [waiting] })).toEqual(all);
  expect(
    await statuses({ OPEN: [open, { ...waiting, status: 'OPEN' }], CLOSED: [closed], REDEEMABLE: [waiting] }),
  ).toEqual(all);
  // A source that does not know the status has those under OPEN.
  expect(await statuses({ OPEN: [open, waiting], CLOSED: [closed] })).toEqual(all);
});

it('names both versions where both fail', async () => {
  const sources = await source(({ path }) => ({ status: path.startsWith('/v2') ? 410 : 404, json: { error: path } }));
  const both = /\/v2\/\S+\) answered 410: \/v2.* Version 1 failed, too: .*\/(v1|traded|closed).* answered 404: \//;
  const { failed } = await askFigures(sources, WALLET, []);
  expect(failed.map(({ what }) => what).sort()).toEqual([
    'leaderboard',
    'number of markets',
    'positions',
    'realized profit',
  ]);
  for (const { what, why } of failed) if (what !== 'realized profit') expect(why).toMatch(both);
  await expect(fetchLeaderboard(5, { sources, out: await temporaryFolder() })).rejects.toThrow(both);
});
