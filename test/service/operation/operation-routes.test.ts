import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createKey, revokeKey } from '../../../src/service/accounts/api-keys.js';
import { currentVersion } from '../../../src/service/folder/current-version.js';
import { answered, ask, serveFolder } from '../../support/serve-folder.js';
import { ingestSmall } from '../../support/small-market.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const TOKEN = 'a-token-of-enough-letters';

async function get(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** An address of this machine that is not loopback. */
function outerAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}

describe('/healthz and /readyz', () => {
  it('tell that the service lives, and whether it has data', async () => {
    const folder = await temporaryFolder();
    const url = await serveFolder(folder, { open: false });
    expect(await get(`${url}/healthz`)).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    const early = await answered(await fetch(`${url}/readyz`));
    expect([early.status, early.json.detail]).toEqual([
      503,
      'No data are loaded yet: run "oddslab ingest", or for a cluster "oddslab data push".',
    ]);
    expect(early.headers.get('retry-after')).toBe('5');
    await ingestSmall(folder);
    await expect
      .poll(() => get(`${url}/readyz`))
      .toMatchObject({
        status: 200,
        text: '{"status":"ready","data_version":"000001"}',
      });
  });

  it('are read by GET and HEAD alone', async () => {
    const url = await serveFolder(await temporaryFolder());
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const answer = await ask(url, {}, { path });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    expect((await fetch(`${url}/healthz`, { method: 'HEAD' })).status).toBe(200);
  });
});

describe('/metrics', () => {
  it('count requests by dataset and status, how long they took, and tell of the data and the process', async () => {
    const folder = await temporaryFolder();
    await ingestSmall(folder);
    const url = await serveFolder(folder);
    await ask(url, { agent_id: 574 });
    await ask(url, { agent_id: 574 });
    await ask(url, { agent_id: 574, params: { closed: 'maybe' } });
    const { status, headers, text } = await get(`${url}/metrics`);
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain; version=0.0.4')]);
    const route = 'route="/v2/semantic/retrieve/parameterized"';
    for (const line of [
      `oddslab_requests_total{${route},dataset="574",status="200"} 2`,
      `oddslab_requests_total{${route},dataset="",status="422"} 1`,
      `oddslab_request_seconds_count{${route},dataset="574"} 2`,
      `oddslab_request_seconds_bucket{le="+Inf",${route},dataset="574"} 2`,
      'oddslab_requests_in_flight 1',
      'oddslab_queries_queued 0',
      'oddslab_data_problem 0',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).toMatch(/^oddslab_data_version\{version="000001-[0-9a-f]{8}"\} 1$/m);
    const createdMs = Date.parse(String((await currentVersion(folder))?.manifest.created));
    const age = Number(/^oddslab_data_age_seconds (.*)$/m.exec(text)?.[1]);
    expect(Math.abs((Date.now() - createdMs) / 1000 - age)).toBeLessThan(60);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  it('tell of the event loop and of all of the CPU from the first time on', async () => {
    const url = await serveFolder(await temporaryFolder());
    const { user, system } = process.cpuUsage();
    for (const { text } of await Promise.all([get(`${url}/metrics`), get(`${url}/metrics`)])) {
      const figure = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
      for (const of of ['min', 'max', 'mean', 'stddev', 'p50', 'p99']) {
        const lag = figure(`nodejs_eventloop_lag_${of}_seconds`);
        expect(lag, of).toBeGreaterThanOrEqual(0);
        expect(lag, of).toBeLessThan(10);
      }
      expect(figure('process_cpu_seconds_total')).toBeGreaterThanOrEqual((user + system) / 1e6);
      expect(figure('process_cpu_user_seconds_total')).toBeGreaterThanOrEqual(user / 1e6);
    }
  });

  it('are for this machine, not for whom its proxy speaks, but for who has the token', async () => {
    const folder = await temporaryFolder();
    const [without, withToken] = [await serveFolder(folder), await serveFolder(folder, { metricsToken: TOKEN })];
    const forAnother = { 'X-Forwarded-For': '203.0.113.7' };
    const statusOf = async (url: string, headers: Record<string, string>) =>
      (await get(`${url}/metrics`, headers)).status;
    expect(await statusOf(without, {})).toBe(200);
    expect(await statusOf(without, forAnother)).toBe(401);
    expect(await statusOf(without, { ...forAnother, Authorization: 'Bearer undefined' })).toBe(401);
    expect(await statusOf(withToken, forAnother)).toBe(401);
    expect(await statusOf(withToken, { ...forAnother, Authorization: `Bearer ${TOKEN}x` })).toBe(401);
    expect(await statusOf(withToken, { ...forAnother, Authorization: `Bearer ${TOKEN}` })).toBe(200);
  });

  it("are for an operator's key, not for a reader's, wherever it comes from", async () => {
    const folder = await temporaryFolder();
    const url = await serveFolder(folder, { open: false });
    const [reader, operator] = [
      await createKey(folder, 'reader'),
      await createKey(folder, 'prometheus', { role: 'operator' }),
    ];
    const asked = (key: string) =>
      get(`${url}/metrics`, { 'X-Forwarded-For': '203.0.113.7', Authorization: `Bearer ${key}` });
    expect(await asked(reader.key)).toMatchObject({ status: 403, text: expect.stringContaining('--role operator') });
    expect(await asked(operator.key)).toMatchObject({ status: 200, text: expect.stringContaining('oddslab_requests') });
    await revokeKey(folder, operator.stored.id);
    expect((await asked(operator.key)).status).toBe(401);
  });

  it('are not for other machines', async (context) => {
    const host = outerAddress();
    if (host === undefined) {
      console.log('skipped: this machine has no address besides loopback');
      return context.skip();
    }
    const url = await serveFolder(await temporaryFolder(), { open: false, host });
    expect((await get(`${url}/metrics`)).status).toBe(401);
    expect((await get(`${url}/healthz`)).status).toBe(200);
  });
});
