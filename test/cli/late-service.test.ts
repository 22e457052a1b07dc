import { mkdir, rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { LateService } from '../../src/cli/late-service.js';
import { ask } from '../support/serve-folder.js';
import { ingestSmall } from '../support/small-market.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('a service that is loaded when it is asked', () => {
  let data: string;
  beforeEach(async () => {
    data = join(await temporaryFolder(), 'data');
    await mkdir(data);
    await ingestSmall(data);
  });
  const problems: string[] = [];
  const listen = (folder: string) => LateService.listen(folder, (problem) => problems.push(problem));
  const MARKETS = { agent_id: 574, pagination: { limit: 2, offset: 0 } };

  it('answers what comes before it is loaded, much at once, and what comes later on connections of its own', async () => {
    const service = await listen(data);
    try {
      const first = await Promise.all(Array.from({ length: 20 }, () => ask(service.url, MARKETS)));
      expect(first.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect((await service.start()).url).toBe(service.url);
      const later = await ask(service.url, MARKETS);
      expect(later.json.data).toEqual(first[0]?.json.data);
      expect(later.json.data.results).toHaveLength(2);
    } finally {
      await service.close();
    }
    await expect(ask(service.url, MARKETS)).rejects.toThrow();
  });

  it('says why its data cannot be opened, in words and to whom asks, and answers once they can be', async () => {
    const folder = join(data, '..', 'moved');
    const service = await listen(folder);
    try {
      const { status, headers, json } = await ask(service.url, MARKETS);
      expect([status, headers.get('content-type')]).toEqual([503, 'application/problem+json']);
      expect(json.detail).toContain(folder);
      for (let more = 0; more < 20; more += 1) expect((await ask(service.url, MARKETS)).status).toBe(503);
      expect(problems).toEqual([json.detail]);
      // No connection is kept.
      const sockets = () => process.getActiveResourcesInfo().filter((each) => each === 'TCPSocketWrap').length;
      await expect.poll(sockets).toBeLessThan(5);
      await rename(data, folder);
      expect((await ask(service.url, MARKETS)).status).toBe(200);
    } finally {
      await service.close();
    }
  });

  it('ends without having been asked, and with clients that say nothing', async () => {
    const unasked = await listen(data);
    await unasked.close();
    await expect(ask(unasked.url, MARKETS)).rejects.toThrow();
    const silent = await listen(data);
    const socket = connect(Number(new URL(silent.url).port), '127.0.0.1');
    const closed = new Promise((done) => socket.once('close', done));
    await silent.start();
    await silent.close();
    socket.resume();
    await closed;
  });
});
