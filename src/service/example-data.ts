import { readVersion } from './folder/version.js';
import type { ExampleData } from './openapi/examples.js';
import type { ServedData } from './served-data.js';

/**
 * Finds a wallet and a market in the served data, for example queries: the wallet with the most fills and the closed
 * market with the most volume, or an open one if none is closed.
 *
 * @param folder The data folder, whose versions name their busiest wallets.
 * @returns A function that gives the example; undefined if no data are loaded, or no wallet or market is known.
 */
export function exampleData(folder: string, data: ServedData): () => Promise<ExampleData | undefined> {
  let known: { id: string; example: ExampleData | undefined } | undefined;
  return () =>
    data
      .use(async (store, id) => {
        if (known?.id === id) return known.example;
        const [name = ''] = id.split('-');
        const [wallet] = (await readVersion(folder, name)).manifest.busiest;
        const one = { limit: 1, offset: 0 };
        const [market] = [...(await store.markets({ closed: true }, one)), ...(await store.markets({}, one))];
        const example = wallet && market ? { wallet, market: { slug: market.slug, closed: market.closed } } : undefined;
        known = { id, example };
        return example;
      })
      .catch(() => undefined);
}
