import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { readShardUrls } from '../../../src/service/clickhouse/clickhouse-connection.js';
import { Shard } from '../../../src/service/clickhouse/shard.js';

/** A shard whose server takes requests, and answers once it is told to. */
async function hangingShard() {
  const waiting: (() => void)[] = [];
  const server = createServer((_, response) => void waiting.push(() => response.end('1\n')));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const [url] = readShardUrls(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
  if (!url) throw new Error('no address');
  const shard = new Shard(url, {}, 0, 1);
  onTestFinished(() => {
    shard.connection.close();
    server.closeAllConnections();
    server.close();
  });
  const ask = () =>
    shard.rows('SELECT 1', { timeMs: 60_000 }).catch((error: Error & { fault?: string }) => error.fault ?? error);
  return { shard, ask, waiting };
}

it('lets no more than so many statements wait for a shard that may hang', async () => {
  const { shard, ask, waiting } = await hangingShard();
  const asked = [1, 2, 3, 4].map(ask);
  await expect.poll(() => waiting.length).toBe(4);
  shard.suspect(2);
  expect(await Promise.all(asked.slice(2))).toEqual(['busy', 'busy']);
  expect(await ask()).toBe('busy');
  expect(shard.problem).toBeUndefined();
  for (const answer of waiting) answer();
  expect(await Promise.all(asked.slice(0, 2))).toEqual([[['1']], [['1']]]);
});

it('ends what runs on a shard once it cannot be asked, until it is trusted again', async () => {
  const { shard, ask, waiting } = await hangingShard();
  const asked = [1, 2].map(ask);
  await expect.poll(() => waiting.length).toBe(2);
  shard.mark('is gone');
  expect(await Promise.all([...asked, ask()])).toEqual(['busy', 'busy', 'busy']);
  // A shard that is gone is not made half sound by being suspected.
  shard.suspect(5);
  expect(await ask()).toBe('busy');
  shard.trust();
  const again = ask();
  // What was ended is killed on the server, too, by statements of its own.
  const before = new Set(waiting);
  await expect.poll(() => waiting.some((each) => !before.has(each))).toBe(true);
  for (const answer of waiting) answer();
  expect(await again).toEqual([['1']]);
  expect(shard.problem).toBeUndefined();
});
