import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ServiceError, UsageError } from '../../../src/base/errors.js';
import { openTransport } from '../../../src/client/transport/transport.js';
import { liveBytes } from '../../support/live-bytes.js';
import { faultServer, sendWith } from '../fault-server.js';

const page = '{"data":{"results":[{"slug":"wörld-cup 🏆"}]}}';
const latin1 = '{"data":"wörld"}';

/** The UTF-16 text of a page, most significant byte first. */
const bigEndian = Buffer.from(page, 'utf16le').swap16();

describe('an answer', () => {
  it.each<[string, Record<string, string>, string | Uint8Array, string]>([
    ['as it is', {}, page, page],
    ['identity', { 'content-encoding': 'identity' }, page, page],
    ['gzip', { 'content-encoding': 'gzip' }, gzipSync(page), page],
    ['x-gzip', { 'content-encoding': 'X-GZIP' }, gzipSync(page), page],
    ['Brotli', { 'content-encoding': 'br' }, brotliCompressSync(page), page],
    ['both', { 'content-encoding': 'br, gzip' }, gzipSync(brotliCompressSync(page)), page],
    ['a byte order mark', {}, `\ufeff${page}`, page],
    ['UTF-16 by its mark', {}, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(page, 'utf16le')]), page],
    ['UTF-16 by its zeros', {}, bigEndian, page],
    ['Latin-1', { 'content-type': 'application/json; charset=ISO-8859-1' }, Buffer.from(latin1, 'latin1'), latin1],
    ['UTF-8 under another name', { 'content-type': 'text/json;charset="latin1"' }, page, page],
    ['of another type', { 'content-type': 'text/html' }, page, page],
    ['empty', {}, '', ''],
  ])('comes as UTF-8 text: %s', async (_, headers, body, text) => {
    const { url } = await faultServer((_body, response) => sendWith(response, 200, headers, body));
    const transport = openTransport(url);
    const answer = await transport.post({});
    expect(Buffer.from(answer.body).toString()).toBe(text);
    expect({ ...answer, body: '' }).toEqual({ body: '', attempts: 1, waitedMs: 0, requestId: 'r-1' });
    await transport.close();
  });

  it('tells the version of the data', async () => {
    const { url } = await faultServer((_, response) => sendWith(response, 200, { 'oddslab-data-version': 'v7' }, '{}'));
    const transport = openTransport(url);
    expect(await transport.post({})).toMatchObject({ requestId: 'r-1', dataVersion: 'v7' });
    await transport.close();
  });

  it('of 100 MB passes under the cap, in memory once', async () => {
    const megabyte = Buffer.alloc(1e6, 'x');
    const { url } = await faultServer(async (_, response) => {
      response.writeHead(200, { 'content-length': 100e6 });
      for (let written = 0; written < 100; written++) {
        if (!response.write(megabyte)) await new Promise((drained) => response.once('drain', drained));
      }
      response.end();
    });
    const transport = openTransport(url);
    const before = liveBytes();
    const { body } = await transport.post({});
    expect(liveBytes() - before).toBeLessThan(150e6);
    expect(body.length).toBe(100e6);
    expect(Buffer.from(body.buffer, body.byteOffset, body.length).equals(Buffer.alloc(100e6, 'x'))).toBe(true);
    await transport.close();
  });
});

describe('a request', () => {
  it('names the key, asks for compression, and keeps its connection', async () => {
    const heard: object[] = [];
    const { url, asked, sockets } = await faultServer((_, response, { method, url: path, headers }) => {
      heard.push({ method, path, headers });
      sendWith(response, 200, {}, '{}');
    });
    const transport = openTransport(`${url}/query?a=1`, { apiKey: 'odl_1' });
    for (const agent_id of [1, 2, 3]) await transport.post({ agent_id });
    expect(asked).toEqual([{ agent_id: 1 }, { agent_id: 2 }, { agent_id: 3 }]);
    expect(heard[0]).toMatchObject({
      method: 'POST',
      path: '/query?a=1',
      headers: {
        authorization: 'Bearer odl_1',
        'content-type': 'application/json',
        accept: 'application/json',
        'accept-encoding': 'identity',
      },
    });
    expect(sockets.length).toBe(1);
    await transport.close();
    await expect(transport.post({})).rejects.toThrow(UsageError);
    await transport.close();
  });

  it('asks for compressed answers where the service is not on this machine, by its address', async () => {
    const heard: unknown[] = [];
    const { url } = await faultServer((_, response, { headers }) => {
      heard.push(headers['accept-encoding']);
      sendWith(response, 200, {}, '{}');
    });
    // Linux and macOS take it to this machine all the same.
    const transport = openTransport(url.replace('127.0.0.1', '0.0.0.0'));
    await transport.post({});
    await transport.close();
    expect(heard).toEqual([expect.stringMatching(/^gzip, br(, zstd)?$/)]);
  });

  it('is made anew where the kept connection was closed meanwhile', async () => {
    const { url, asked, server, sockets } = await faultServer((_, response) => sendWith(response, 200, {}, '{}'));
    const transport = openTransport(url);
    await transport.post({});
    const [kept] = sockets;
    // Once with the client knowing of it, once at the very moment when it sends.
    server.closeAllConnections();
    await new Promise((gone) => setTimeout(gone, 50));
    expect(await transport.post({})).toMatchObject({ attempts: 1 });
    sockets[1]?.resetAndDestroy();
    await transport.post({});
    expect(kept?.destroyed).toBe(true);
    expect(asked.length).toBe(3);
    await transport.close();
  });

  it('that is under way comes to its end before the connections are closed', async () => {
    const { url, sockets } = await faultServer((_, response) => {
      setTimeout(() => sendWith(response, 200, {}, '"late"'), 50);
    });
    const transport = openTransport(url);
    const late = transport.post({});
    await transport.close();
    expect(Buffer.from((await late).body).toString()).toBe('"late"');
    await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
  });
});

describe('what cannot be taken in', () => {
  const cut = gzipSync('x'.repeat(1000)).subarray(0, 20);
  const said = (coding: string, reason: string) =>
    `sent a damaged answer (POST URL): the answer says that it is compressed by ${coding}, ` +
    `but cannot be decompressed: ${reason}. Tried 2 times.`;
  const big = 'answered too much (POST URL): the answer is larger than 5,000 bytes (maxAnswerBytes). ';
  const latin = 'the answer is no text of its own content type, "text/plain; charset=klingon". JSON is sent in UTF-8.';

  it.each<[string, Record<string, string>, string | Uint8Array, string]>([
    ['no gzip', { 'content-encoding': 'gzip' }, page, said('gzip', 'incorrect header check')],
    ['a cut gzip', { 'content-encoding': 'gzip' }, cut, said('gzip', 'unexpected end of file')],
    [
      'an unknown coding',
      { 'content-encoding': 'deflate' },
      deflateSync(page),
      expect.stringContaining('the coding "deflate" is none of gzip, br') as unknown as string,
    ],
    ['too much', {}, 'x'.repeat(5001), `${big}Ask for smaller pages, or allow larger answers.`],
    ['too much, chunked', { 'transfer-encoding': 'chunked' }, 'x'.repeat(5001), expect.stringContaining(big) as never],
    ['a bomb', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(2e8)), expect.stringContaining(big) as never],
    [
      'a Brotli bomb',
      { 'content-encoding': 'br' },
      brotliCompressSync(Buffer.alloc(1e7)),
      expect.stringContaining(big) as never,
    ],
    [
      'no known charset',
      { 'content-type': 'text/plain; charset=klingon' },
      Buffer.from(latin1, 'latin1'),
      `sent an unreadable answer (POST URL): ${latin}`,
    ],
  ])('is one clear error: %s', async (_, headers, body, message) => {
    const { url, sockets } = await faultServer((_body, response) => sendWith(response, 200, headers, body));
    const transport = openTransport(url, { maxAnswerBytes: 5000, backOffMs: 10 });
    const error = await transport.post({}).catch((failure: unknown) => failure as ServiceError);
    expect(error).toBeInstanceOf(ServiceError);
    const text = (error as ServiceError).message.replace(`${url}/`, 'URL').replace('The query service ', '');
    expect(text).toEqual(message);
    expect((error as ServiceError).details).toMatchObject({ status: 200, requestId: 'r-1' });
    await transport.close();
    await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('is asked for once more without compression', async () => {
    const { url } = await faultServer((_, response, { headers }) => {
      const damaged = headers['accept-encoding'] !== 'identity';
      sendWith(response, 200, damaged ? { 'content-encoding': 'gzip' } : {}, page);
    });
    const transport = openTransport(url.replace('127.0.0.1', '0.0.0.0'));
    const { body, attempts } = await transport.post({});
    expect([Buffer.from(body).toString(), attempts]).toEqual([page, 2]);
    await transport.close();
  });

  it.each([
    ['retries', -1],
    ['retries', 0.5],
    ['timeoutMs', 0],
    ['headersTimeoutMs', Number.POSITIVE_INFINITY],
    ['maxAnswerBytes', Number.NaN],
  ])('an option out of its bounds is refused: %s %d', (name, value) => {
    expect(() => openTransport('http://a', { [name]: value })).toThrow(`${name} must be a whole number from`);
  });
});
