import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestLine } from '../../../src/service/http/request-record.js';
import { serveFolder } from '../../support/serve-folder.js';
import { ingestSmall } from '../../support/small-market.js';
import { rawQuery, rawSocket, requestsInFlight } from './raw-socket.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-connections-'));
  await ingestSmall(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A query that is read anew each time, with a long answer. */
const query = (n: number) => rawQuery({ agent_id: 574, params: { min_volume: `0.${n}` } }, { 'X-Request-Id': `${n}` });

describe('requests that come at once on one connection', () => {
  it('are each told of, and not under way any more, where it is lost', async () => {
    const lines: RequestLine[] = [];
    const url = await serveFolder(folder, { maxConcurrent: 1, onRequest: (line) => lines.push(line) });
    for (let round = 1; round <= 3; round++) {
      lines.length = 0;
      const { socket } = await rawSocket(url);
      socket.pause();
      // First far more than what the system keeps for both ends.
      const asked = Array.from({ length: 400 }, (_, n) =>
        n < 200 ? `GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${n + 1}\r\n\r\n` : query(n + 1),
      );
      socket.write(asked.join(''));
      while ((await requestsInFlight(url)) < 200) await new Promise((done) => setTimeout(done, 10));
      socket.resetAndDestroy();
      await expect.poll(() => requestsInFlight(url)).toBe(0);
      const told = lines.filter(({ route }) => route !== '/metrics');
      expect(told.map(({ id }) => id).sort()).toEqual(asked.map((_, n) => `${n + 1}`).sort());
      expect(told.filter(({ status }) => status === 499).length).toBeGreaterThan(0);
    }
  });

  it('are told of with the bytes of their own answers', async () => {
    const lines: RequestLine[] = [];
    const url = await serveFolder(folder, { onRequest: (line) => lines.push(line) });
    const { socket, until } = await rawSocket(url);
    const head = 'HTTP/1.1 ';
    let asked = 0;
    for (const round of [[1, 2, 3], [4], [5, 6]]) {
      asked += round.length;
      socket.write(round.map((n) => (n % 2 ? query(n) : rawQuery({}, { 'X-Request-Id': `${n}` }))).join(''));
      while ((await until(/\}$/)).split(head).length <= asked || lines.length < asked) {
        await new Promise((done) => setTimeout(done, 5));
      }
    }
    const answers = (await until(/\}$/)).split(head).slice(1);
    expect(lines.map(({ id, bytes }) => [id, bytes])).toEqual(
      answers.map((answer, n) => [`${n + 1}`, head.length + answer.length]),
    );
  });
});
