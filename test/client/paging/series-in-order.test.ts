import { expect, it } from 'vitest';
import { Stop } from '../../../src/base/stop-and-wait.js';
import { AheadWindow, type PageSource } from '../../../src/client/paging/page-source.js';
import { SeriesInOrder } from '../../../src/client/paging/series-in-order.js';
import { PNL } from '../../../src/contract/pnl.js';

it('of a series that was read, only where it came from is kept', async () => {
  const events: string[] = [];
  const source: PageSource = ({ params: { wallet = '' } }) => ({
    pages: (async function* () {
      yield { limit: 10, offset: 0, hasMore: false, results: Buffer.from('[{}]') };
    })(),
    origin() {
      events.push(`origin of ${wallet}`);
      return { service: wallet, queriedAt: '' };
    },
  });
  const series = new SeriesInOrder(source, {
    dataset: PNL,
    params: [{ wallet: 'a' }, { wallet: 'b' }],
    maxRecords: undefined,
    signal: new Stop(),
    pageSize: 10,
    readsWhole: false,
    window: new AheadWindow(1),
  });
  for await (const { at } of series.pages()) events.push(`page of ${at}`);
  expect(events).toEqual(['page of 0', 'origin of a', 'page of 1', 'origin of b']);
  expect(series.origins()).toEqual([
    { service: 'a', queriedAt: '' },
    { service: 'b', queriedAt: '' },
  ]);
  expect(events).toHaveLength(4);
});
