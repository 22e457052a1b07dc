import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection, readShardUrls } from '../../../src/service/clickhouse/clickhouse-connection.js';
import { ShardError } from '../../../src/service/clickhouse/shard-error.js';
import { freePort } from '../../support/free-port.js';
import { isAbsent } from '../../support/is-absent.js';
import { CLICKHOUSE, ClickHouseServer, LOGIN } from './clickhouse-server.js';

const ENDLESS = 'SELECT count() FROM system.numbers FORMAT TabSeparated';

function connect(url: string): Connection {
  const [shard] = readShardUrls(url);
  if (!shard) throw new Error('no address');
  return new Connection(shard, LOGIN);
}

/** The fault of a statement that cannot go well. */
async function faultOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ShardError);
  return (error as ShardError).fault;
}

describe.skipIf(isAbsent(CLICKHOUSE, 'statements of a ClickHouse server'))('a connection to a server', () => {
  let server: ClickHouseServer;
  let connection: Connection;
  beforeAll(async () => {
    server = await ClickHouseServer.start();
    connection = connect(server.url);
  });
  afterAll(async () => {
    connection.close();
    await server.remove();
  });

  const running = () =>
    server.run(
      "SELECT count() FROM system.processes WHERE query LIKE '%system.numbers FORMAT%' AND query NOT LIKE '%processes%'",
    );

  it('ends on the server what nobody waits for, and what takes too long', async () => {
    const waiting = new AbortController();
    const asked = connection.rows(ENDLESS, { timeMs: 60_000, signal: waiting.signal });
    await expect.poll(running).toBe('1');
    waiting.abort();
    expect(await faultOf(asked)).toBe('busy');
    await expect.poll(running).toBe('0');
    expect(await faultOf(connection.rows(ENDLESS, { timeMs: 300 }))).toBe('busy');
    await expect.poll(running).toBe('0');
  });

  it('gives no part of what fails on the way', async () => {
    const failing = "SELECT throwIf(number = 900000, 'halfway') FROM system.numbers LIMIT 1000000 FORMAT TabSeparated";
    const fails =
      "SELECT toUInt8(toString(number < 900000 ? '1' : 'x')) FROM system.numbers LIMIT 1000000 FORMAT TabSeparated";
    expect(await faultOf(connection.rows(failing, { timeMs: 60_000 }))).toBe('failed');
    expect(await faultOf(connection.rows(fails, { timeMs: 60_000 }))).toBe('failed');
  });

  it('tells what is missing from what is wrong', async () => {
    expect(await faultOf(connection.rows('SELECT 1 FROM nothing FORMAT TabSeparated', { timeMs: 60_000 }))).toBe(
      'lacking',
    );
    expect(await faultOf(connection.rows('SELECT FORMAT', { timeMs: 60_000 }))).toBe('failed');
    expect(await faultOf(connect(`${server.url}/nowhere`).rows('SELECT 1', { timeMs: 60_000 }))).toBe('lacking');
    const gone = connect(`http://127.0.0.1:${await freePort()}`);
    expect(await faultOf(gone.rows('SELECT 1', { timeMs: 60_000 }))).toBe('unreachable');
  });

  it('asks again where a kept connection was closed meanwhile', async () => {
    expect(await connection.rows('SELECT 1 FORMAT TabSeparated', { timeMs: 60_000 })).toEqual([['1']]);
    await server.kill();
    await server.resume();
    await sleep(20);
    expect(await connection.rows('SELECT 2 FORMAT TabSeparated', { timeMs: 60_000 })).toEqual([['2']]);
  });
});

it('takes an answer that is cut off for none', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Length': 100 }).write('1\t2\n');
    setTimeout(() => response.destroy(), 20);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const connection = connect(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
  expect(await faultOf(connection.rows('SELECT 1', { timeMs: 60_000 }))).toBe('unreachable');
  connection.close();
  server.close();
});

it('reads addresses of shards, and refuses what is none without a word of its password', () => {
  expect(readShardUrls('http://10.0.0.1:8123, https://two.example/odds/')).toEqual([
    { origin: 'http://10.0.0.1:8123', database: 'default', shown: 'http://10.0.0.1:8123' },
    { origin: 'https://two.example', database: 'odds', shown: 'https://two.example/odds' },
  ]);
  for (const wrong of [
    '',
    '10.0.0.1:8123',
    'tcp://10.0.0.1:9000',
    'http://a/b/c',
    'http://a?x=1',
    'http://a,,http://b',
  ]) {
    expect(() => readShardUrls(wrong)).toThrow(/^ClickHouse address \d must be like http:\/\/10\.0\.0\.1:8123/);
  }
  for (const secret of ['http://me:hidden@a', 'http://me:hid/den@a', 'me:hidden@a:8123']) {
    expect(() => readShardUrls(secret)).toThrow(/^ClickHouse address 1 holds a user or a password(?!.*hid)/);
  }
});
