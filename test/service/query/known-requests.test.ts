import { describe, expect, it } from 'vitest';
import { KnownRequests } from '../../../src/service/query/query-route.js';
import { readRequest } from '../../../src/service/query/read-request.js';

const read = (known: KnownRequests, text: string | Buffer) => {
  const told: unknown[] = [];
  const request = known.read(Buffer.from(text), (body) => told.push(body));
  return { request, told };
};

describe('a body that was read twice', () => {
  it('gives the very same query, and one of other bytes its own', () => {
    const known = new KnownRequests();
    const texts = [1, 2, 3].map((limit) => JSON.stringify({ agent_id: 574, pagination: { limit } }));
    for (const text of texts) read(known, text);
    const first = texts.map((text) => read(known, text));
    for (const [n, text] of texts.entries()) {
      const again = read(known, text);
      expect(again.request).toBe(first[n]?.request);
      expect(again.told).toEqual([JSON.parse(text)]);
      expect(again.request).toEqual(readRequest(JSON.parse(text)));
    }
    expect(read(known, ` ${texts[0]}`).request).not.toBe(first[0]?.request);
  });

  it('is refused again where it was refused, and told of before', () => {
    const known = new KnownRequests();
    for (const _ of [1, 2]) {
      const told: unknown[] = [];
      expect(() => known.read(Buffer.from('{"agent_id":1}'), (body) => told.push(body))).toThrow(
        'There is no dataset 1',
      );
      expect(told).toEqual([{ agent_id: 1 }]);
      expect(() => read(known, Buffer.from([0x22, 0xff, 0x22]))).toThrow('UTF-8');
    }
  });

  it('is never mixed up with bytes that only look like it', () => {
    const known = new KnownRequests();
    const slug = (text: Buffer) => read(known, text).request.values.market_slug;
    const utf8 = Buffer.from('{"agent_id":574,"params":{"market_slug":"ä"}}');
    const twice = Buffer.from(utf8.toString('latin1'));
    expect([slug(utf8), slug(twice), slug(utf8)]).toEqual(['ä', 'Ã¤', 'ä']);
  });

  it('is forgotten once thousands came after it', () => {
    const known = new KnownRequests();
    const text = (offset: number) => JSON.stringify({ agent_id: 574, pagination: { offset } });
    const twice = (n: number) => [1, 2].map(() => read(known, text(n)).request)[1];
    const first = twice(0);
    expect(read(known, text(0)).request).toBe(first);
    for (let n = 1; n <= 3000; n++) twice(n);
    expect(read(known, text(0)).request).not.toBe(first);
    expect(read(known, text(0)).request).toEqual(first);
  });
});
