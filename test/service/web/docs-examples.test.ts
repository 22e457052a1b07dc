import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DATASETS } from '../../../src/contract/dataset.js';
import { serve } from '../../../src/service/serve-folder.js';
import { ask } from '../../support/serve-folder.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type SmallService, serveSmall } from '../openapi/serve-small.js';

let small: SmallService;
beforeAll(async () => {
  small = await serveSmall();
});
afterAll(() => small.close());

/** The page as a reader sees it who asked for a host. */
async function page(url: string, host?: string): Promise<string> {
  const text = await new Promise<string>((done, fail) => {
    const asking = request(`${url}/docs`, host === undefined ? {} : { headers: { Host: host } }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (part) => {
        body += part;
      });
      answer.on('end', () => done(body));
    });
    asking.on('error', fail).end();
  });
  return text
    .replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'");
}

it('names the address under which it was asked', async () => {
  expect(await page(small.url)).toContain(`export ODDSLAB_URL=${small.url}\n`);
  expect(await page(small.url, 'odds.localhost:9000')).toContain('export ODDSLAB_URL=http://odds.localhost:9000\n');
  expect(await page(small.url, 'odds.localhost:9000')).toContain("curl -s 'http://odds.localhost:9000/query'");
  expect(await page(small.url)).not.toContain('any-address');
  expect(await page(small.url, "a';reboot.localhost")).toContain(`export ODDSLAB_URL=${small.url}\n`);
});

it('has a query of each dataset that finds something in the data that are loaded', async () => {
  const text = await page(small.url);
  const commands = [...text.matchAll(/curl -s '[^']+' [^']+'Content-Type: application\/json' \\\s+-d '([^']+)'/g)];
  const asked = commands.map(([, body = '']) => JSON.parse(body));
  expect(asked.map(({ agent_id }) => agent_id)).toEqual(DATASETS.map(({ id }) => id));
  for (const body of asked) {
    const { status, json } = await ask(small.url, body);
    expect([body.agent_id, status, json.data.results.length > 0]).toEqual([body.agent_id, 200, true]);
  }
});

it('shows nothing of the data where the service wants a key', async () => {
  const open = await page(small.url);
  const [, wallet = ''] = /"(?:wallet|wallet_address)": "(0x[0-9a-f]{40})"/.exec(open) ?? [];
  expect(wallet).not.toBe('');
  const service = await serve({ folder: small.folder, port: 0 });
  try {
    const closed = await page(service.url);
    expect(closed).not.toContain(wallet);
    expect(closed).toContain('All names and numbers in the examples are invented.');
  } finally {
    await service.close();
  }
});

it('has invented ones where no data are loaded', async () => {
  const service = await serve({ folder: await temporaryFolder(), port: 0, open: true });
  try {
    expect(await page(service.url)).toContain('All names and numbers in the examples are invented.');
  } finally {
    await service.close();
  }
});
