import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { AnswerError, ServiceError, UsageError } from '../../../src/base/errors.js';
import { connect } from '../../../src/client/connect.js';
import { faultServer, send, sendWith } from '../fault-server.js';

const apiKey = 'odl_SECRETSECRETSECRET';

/** The error of one query, which must never tell the key, in whatever way it is printed. */
async function failureOf(baseUrl: string): Promise<ServiceError> {
  const error = await connect({ baseUrl, apiKey, retries: 1, backOffMs: 1 })
    .markets()
    .frame()
    .then(
      () => new Error('no failure'),
      (failure: unknown) => failure,
    );
  for (let each = error; each instanceof Error; each = each.cause) {
    const shown = [each.message, each.stack, JSON.stringify(each), inspect(each, { depth: 20, showHidden: true })];
    expect(shown.join('\n')).not.toContain(apiKey);
  }
  return error as ServiceError;
}

describe('a refusal', () => {
  it.each<[number, string, string]>([
    [
      422,
      JSON.stringify({ title: 'T', detail: 'Not valid.', errors: [{ pointer: '/a', detail: 'is b' }] }),
      '422 Not valid. /a is b.',
    ],
    [500, '{"error":"boom"}', '500 boom.'],
    [500, '{"error":{"message":"boom"}}', '500 boom.'],
    [400, '{"message":"no such thing"}', '400 no such thing.'],
    [400, '{"status":"error"}', '400 {"status":"error"}.'],
    [400, '{"detail":[{"loc":["a"]}]}', '400 {"detail":[{"loc":["a"]}]}.'],
    [502, '<html><style>a{b}</style><h1>Bad\n Gateway</h1></html>', '502 Bad Gateway.'],
    [
      500,
      '<html><title>Oops &amp; &#60;b&#x3E; &copy; &toString; &amp;lt;</title>',
      '500 Oops & <b> &copy; &toString; &lt;.',
    ],
    [500, '{"error":"a &amp; <b> is text"}', '500 a &amp; <b> is text.'],
    [503, 'try &amp; later', '503 try &amp; later.'],
    [503, 'try later', '503 try later.'],
    [504, '', '504 (without a reason).'],
    [403, `{"error":"key ${apiKey} is blocked"}`, '403 key [API key] is blocked. This API key may not do that.'],
    [200, '{"status":"error","message":"quota used up"}', '200 quota used up.'],
    [200, '{"error":"quota used up"}', '200 quota used up.'],
    [301, 'moved', '301 moved.'],
  ])('with %i and %s is told in one line', async (status, body, told) => {
    const { url } = await faultServer((_, response) => send(response, status, body));
    const error = await failureOf(url);
    expect(error).toBeInstanceOf(ServiceError);
    const attempts = status < 500 ? 1 : 2;
    const tried = attempts === 1 ? '' : ' Tried 2 times.';
    expect(error.message).toBe(
      `The query service refused the request (POST ${url}/v2/semantic/retrieve/parameterized): ${told}${tried}`,
    );
    expect(error.details).toEqual({
      status,
      requestId: 'r-1',
      attempts,
      method: 'POST',
      url: `${url}/v2/semantic/retrieve/parameterized`,
    });
  });
});

describe('an answer', () => {
  it.each<[string, string]>([
    ['not JSON', '<html>hello</html>'],
    ['not JSON', `${apiKey} is your key`],
    ['not JSON', '{"data":}'],
    ['no response envelope', '[]'],
    ['no response envelope', '{"data":{"results":[]}}'],
    ['no response envelope', '{"pagination":{"limit":1,"offset":0,"has_more":false},"data":{"results":[5]}}'],
  ])('that is %s is an AnswerError: %s', async (what, body) => {
    const { url } = await faultServer((_, response) => send(response, 200, body));
    const error = await failureOf(url);
    expect(error).toBeInstanceOf(AnswerError);
    expect(error.message).toContain(what);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    [
      'broke off its answer',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"data":}');
        setTimeout(() => response.destroy(), 50);
      },
    ],
    ['could not be reached', (response) => void response.destroy()],
  ])('that %s is a ServiceError', async (what, cut) => {
    const { url } = await faultServer((_, response) => cut(response));
    const error = await failureOf(url);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error.message).toContain(what);
  });

  it('that is no https says so, and asks for http', async () => {
    const { url } = await faultServer((_, response) => void response.end());
    const error = await failureOf(url.replace('http:', 'https:'));
    expect(error.message).toMatch(
      /: the other end does not speak https\. Perhaps the address \(ODDSLAB_URL\) should begin with http:, not https:\./,
    );
  });

  it('from nobody names the address', async () => {
    const error = await failureOf('http://127.0.0.1:9');
    expect(error.message).toBe(
      'The query service could not be reached (POST http://127.0.0.1:9/v2/semantic/retrieve/parameterized): ' +
        'connect ECONNREFUSED 127.0.0.1:9. ' +
        'Check the address (ODDSLAB_URL), or start a service with "oddslab serve". Tried 2 times.',
    );
    expect(error.details.status).toBeUndefined();
  });
});

describe('connect', () => {
  it.each(['', 'localhost:8787', 'ftp://a', 'http://a/?x=1', 'http://a/#b', 'http://user:pw@a'])(
    'refuses the address %j',
    (baseUrl) => expect(() => connect({ baseUrl })).toThrow(UsageError),
  );

  it('refuses what is no key, without telling it, and page sizes out of bounds', () => {
    for (const key of ['', 'two words', `${apiKey}\n`, 'ключ']) {
      expect(() => connect({ baseUrl: 'http://a', apiKey: key })).toThrow(/^The API key is empty, or holds/);
    }
    for (const pageSize of [0, 1001, 1.5, Number.NaN]) {
      expect(() => connect({ baseUrl: 'http://a', pageSize })).toThrow('pageSize must be');
    }
  });

  it('shows no key when it is printed', () => {
    const client = connect({ baseUrl: 'http://a/', apiKey });
    expect(inspect(client, { depth: 20, showHidden: true }) + JSON.stringify(client)).not.toContain(apiKey);
    expect(client.baseUrl).toBe('http://a');
  });
});

describe('records that are refused', () => {
  const sending = (results: object[]) =>
    faultServer(({ pagination: { offset } }, response) => {
      const pagination = { limit: 1, offset, has_more: offset === 0 };
      send(response, 200, JSON.stringify({ pagination, data: { results: offset === 0 ? [{ a: 1 }] : results } }));
    });

  it('are told with their place, and without the API key that they repeat', async () => {
    const market = { condition_id: '0x1', question: 'q', slug: 's', closed: apiKey, volume_total: '12.5' };
    const { url } = await faultServer((_, response) =>
      send(
        response,
        200,
        JSON.stringify({ pagination: { limit: 1, offset: 0, has_more: false }, data: { results: [market] } }),
      ),
    );
    const error = await failureOf(url);
    expect(error).toBeInstanceOf(AnswerError);
    expect(error.message).toContain('Dataset 574, offset 0: Page 1, row 1: the field "closed" is "[API key]"');
    const wallet = `0x${'a'.repeat(40)}`;
    const pnl = connect({ baseUrl: url, apiKey }).pnl({ wallet });
    await expect(pnl.frame()).rejects.toThrow(`Dataset 569, wallet ${wallet}, offset 0: Page 1, row 1: `);
  });

  it.each<[string, unknown, string]>([
    ['an entry that is no record', [{ b: 1 }, 5], 'Dataset 999, offset 1: Page 2, row 2 is 5 where a record'],
  ])('of an unknown dataset are %s, page by page as in a frame', async (_, results, message) => {
    const { url } = await sending(results as object[]);
    const query = connect({ baseUrl: url }).dataset(999);
    const whole = async () => {
      for await (const page of query.pages()) expect(page).toEqual([{ a: 1 }]);
    };
    await expect(whole()).rejects.toThrow(message);
    await expect(query.frame()).rejects.toThrow(message);
  });

  it.each([
    ['a field twice', Buffer.from('{"b":1,"b":2}'), 'is there twice'],
    ['bytes that are no UTF-8', Buffer.of(0x7b, 0x22, 0x62, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d), 'not UTF-8'],
  ])('of an unknown dataset are those with %s, in every way of reading', async (_, record, message) => {
    const head = '{"pagination":{"limit":1,"offset":0,"has_more":false},"data":{"results":[';
    const body = Buffer.concat([Buffer.from(head), record, Buffer.from(']}}')]);
    const { url } = await faultServer((_asked, response) => sendWith(response, 200, {}, body));
    const query = connect({ baseUrl: url }).dataset(999);
    await expect(query.pages().next()).rejects.toThrow(message);
    await expect(query.records().next()).rejects.toThrow(message);
    await expect(query.frame()).rejects.toThrow(message);
  });
});

it.each([
  ['{"message":"quota exceeded"}', '200 quota exceeded.'],
  ['{"detail":"no such plan"}', '200 no such plan.'],
  ['{"errors":["a","b"]}', '200 a; b.'],
])('an answer of 200 without data, %s, tells what it says', async (body, said) => {
  const { url } = await faultServer((_, response) => send(response, 200, body));
  const error = await failureOf(url);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error.message).toContain(said);
});
