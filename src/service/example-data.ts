import { readVersion } from './folder/read-version.js';
import type { ExampleData } from './openapi/examples.js';
import type { ServedData } from './served-data.js';

/**
 * Gives a wallet and a market of the data that are served, for queries to try: the wallet with the most fills and the
 * closed market with the most volume.
 *
 * @param folder The data folder, whose versions name their busiest wallets.
 * @returns Undefined where no data are loaded, or none of a wallet or a market is known: pages do without.
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
