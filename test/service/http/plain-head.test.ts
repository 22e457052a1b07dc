import { describe, expect, it } from 'vitest';
import { readPlainHead } from '../../../src/service/http/plain-messages.js';

const head = (lines: readonly string[], first = 'POST /query HTTP/1.1') => `${[first, ...lines].join('\r\n')}\r\n\r\n`;
const plain = ['Host: localhost:8787', 'Content-Type: application/json', 'Content-Length: 16'];

describe('readPlainHead', () => {
  it('reads what it looks at, by names in small letters, and where the body is', () => {
    const text = head([
      ...plain,
      'authorization:Bearer  x',
      'If-None-Match:  "a", W/"b" ',
      'User-Agent: curl/8 (x; y)',
    ]);
    expect(readPlainHead(text)).toEqual({
      text,
      path: '/query',
      headers: {
        host: 'localhost:8787',
        'content-type': 'application/json',
        'content-length': '16',
        authorization: 'Bearer  x',
        'if-none-match': '"a", W/"b"',
      },
      bodyLength: 16,
    });
  });

  it.each(['keep-alive', 'Keep-Alive'])('takes Connection: %s, as keeping it is the rule', (value) => {
    expect(readPlainHead(head([...plain, `Connection: ${value}`]))).toMatchObject({ bodyLength: 16 });
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['a head that is not whole', head(plain).slice(0, -2)],
    ['another method', head(plain, 'GET /query HTTP/1.1')],
    ['another path', head(plain, 'POST /queries HTTP/1.1')],
    ['a path with a question', head(plain, 'POST /query?x=1 HTTP/1.1')],
    ['a path with an escape', head(plain, 'POST /%71uery HTTP/1.1')],
    ['a whole address', head(plain, 'POST http://localhost/query HTTP/1.1')],
    ['HTTP/1.0', head(plain, 'POST /query HTTP/1.0')],
    ['another space', head(plain, 'POST  /query HTTP/1.1')],
    ['lines that end in LF alone', head(plain).replaceAll('\r\n', '\n')],
    ['a line that ends in CR alone', head([...plain, 'X: 1\rTransfer-Encoding: chunked'])],
    ['a line that ends in LF alone', head([...plain, 'X: 1\nTransfer-Encoding: chunked'])],
    ['a line that goes on in the next', head([...plain, 'X: 1', ' Transfer-Encoding: chunked'])],
    ['a space before the colon', head([...plain, 'Transfer-Encoding : chunked'])],
    ['a line without a colon', head([...plain, 'X'])],
    ['a name with a letter that is rare', head([...plain, 'X!: 1'])],
    ['a tab', head([...plain.slice(0, 2), 'Content-Length:\t16'])],
    ['a hundred and one headers', head([...plain, ...Array(98).fill('X: 1')])],
    ['a control letter', head([...plain, 'X: \0'])],
    ['a letter beyond ASCII', head([...plain, 'X: \xe4'])],
    ['no Host', head(plain.slice(1))],
    ['two Hosts', head([...plain, 'host: localhost'])],
    ['a Host that is a list', head(['Host: a, b', ...plain.slice(1)])],
    ['a Host of IPv6', head(['Host: [::1]:8787', ...plain.slice(1)])],
    ['no length', head(plain.slice(0, 2))],
    ['two lengths', head([...plain, 'Content-Length: 16'])],
    ['a length with a sign', head([...plain.slice(0, 2), 'Content-Length: +16'])],
    ['a length that is a list', head([...plain.slice(0, 2), 'Content-Length: 16, 16'])],
    ['a length in hex', head([...plain.slice(0, 2), 'Content-Length: 0x10'])],
    ['a length that no number holds', head([...plain.slice(0, 2), `Content-Length: ${'9'.repeat(20)}`])],
    ['chunks', head([...plain, 'Transfer-Encoding: chunked'])],
    ['chunks in other letters', head([...plain, 'transfer-encoding: identity'])],
    ['an expectation', head([...plain, 'Expect: 100-continue'])],
    ['an upgrade', head([...plain, 'Upgrade: h2c'])],
    ['a connection that is to be closed', head([...plain, 'Connection: close'])],
    ['a connection with options', head([...plain, 'Connection: keep-alive, upgrade'])],
    ['trailers', head([...plain, 'TE: trailers'])],
    ['what follows it', `${head(plain)}{"agent_id":574}`],
    ['two keys', head([...plain, 'Authorization: Bearer a', 'Authorization: Bearer b'])],
  ])('leaves %s to node:http', (_, text) => {
    expect(readPlainHead(text)).toBeUndefined();
  });
});
