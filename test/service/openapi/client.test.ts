import { type Document, OpenAPIClientAxios } from 'openapi-client-axios';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATASETS } from '../../../src/contract/dataset.js';
import { exampleOf } from '../../../src/service/openapi/request-examples.js';
import { tokenOf, walletOf } from '../../support/raw-records.js';
import { type SmallService, serveSmall } from './serve-small.js';

let small: SmallService;
beforeAll(async () => {
  small = await serveSmall({ open: false });
});
afterAll(() => small.close());

/** A client that knows nothing but what the service's own document says. */
async function clientOf(authorization?: string) {
  const definition = (await (await fetch(`${small.url}/openapi.json`)).json()) as Document;
  const api = new OpenAPIClientAxios({
    definition,
    axiosConfigDefaults: {
      baseURL: small.url,
      ...(authorization ? { headers: { Authorization: authorization } } : {}),
      validateStatus: () => true,
    },
  });
  return api.init();
}

const FILTERS: Readonly<Record<number, Record<string, string>>> = {
  574: { closed: 'True' },
  569: { wallet: walletOf(1), granularity: '1w' },
  586: { wallet_address: walletOf(1) },
  555: { closed: 'False' },
  556: { proxy_wallet: walletOf(1), side: 'SELL' },
  568: { token_id: tokenOf(1, 0), interval: '1d' },
  579: {},
  9001: { wallet: walletOf(1) },
};

const COUNTS: Readonly<Record<number, number>> = { 574: 3, 569: 7, 586: 1, 555: 9, 556: 40, 568: 4, 579: 2, 9001: 12 };

describe('a client made from the document', () => {
  it.each(DATASETS)('reads dataset $id on both paths', async (dataset) => {
    const client = await clientOf(`Bearer ${small.key}`);
    for (const operation of ['retrieve', 'retrieveByShortPath']) {
      const answer = await client[operation]?.({}, { agent_id: dataset.id, params: FILTERS[dataset.id] });
      expect(answer?.status).toBe(200);
      const results: object[] = answer?.data.data.results ?? [];
      expect(results.length).toBe(COUNTS[dataset.id]);
      expect(Object.keys(results[0] ?? {})).toEqual(dataset.columns.map(({ name }) => name));
    }
  });

  it.each(DATASETS)('sends the example of dataset $id and is answered', async (dataset) => {
    const client = await clientOf(`Bearer ${small.key}`);
    const { request, answer } = exampleOf(dataset);
    const { status, data } = (await client.retrieve?.({}, request)) ?? {};
    expect({ status, params: data?.params }).toEqual({ status: 200, params: answer.params });
  });

  it('is asked for a key, and told so as the document says', async () => {
    const client = await clientOf();
    const { status, data, headers } = (await client.retrieve?.({}, { agent_id: 574 })) ?? {};
    expect(status).toBe(401);
    expect(headers?.['www-authenticate']).toMatch(/^Bearer/);
    expect(data).toMatchObject({ title: 'API key missing or not valid', status: 401 });
  });
});
