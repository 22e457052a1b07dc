import { describe, expect, it } from 'vitest';
import { AnswerError } from '../../../src/base/errors.js';
import { readPage } from '../../../src/client/paging/requested-page.js';
import fc from '../../support/fast-check.js';

const key = 'odl_SECRET';
const source = { url: 'http://a/query', hide: (text: string) => text.replaceAll(key, '[API key]') };
const pagination = { limit: 10, offset: 0, has_more: false };

/** A page with its records as text. */
function read(text: string) {
  const { results, ...page } = readPage(Buffer.from(text), source);
  return { ...page, results: Buffer.from(results).toString() };
}

function failureOf(text: string): unknown {
  try {
    return read(text);
  } catch (error) {
    return error;
  }
}

describe('an envelope', () => {
  it.each([
    '{"timestamp":"","params":{},"pagination":PAGE,"data":{"results":RESULTS}}',
    '{"data":{"results":RESULTS},"pagination":PAGE}',
    '{ "pagination" : PAGE , "data" : { "results" : RESULTS } } \n',
    '{"pagination":PAGE,"data":{"results":RESULTS,"more":[1,{"a":"]"}]}}',
    '{"pagination":PAGE,"data":{"results":RESULTS},"x":{"y":[2]}}',
    '{"params":{"q":"\\"data\\":{\\"results\\":[\\"a\\"]"},"pagination":PAGE,"data":{"results":RESULTS}}',
    '\ufeff{"pagination":PAGE,"data":{"results":RESULTS}}',
    '{"data":{"count":1,"kinds":["]"],"more":{"results":[{"b":2}]},"results":RESULTS},"pagination":PAGE}',
    '{"data": {"count": 1, "results" : RESULTS , "next": null}, "pagination": PAGE}',
    '{"params":{"data":{"results":[{"b":2}]}},"pagination":PAGE,"data":{"results":RESULTS}}',
    '{"results":[{"b":2}],"pagination":PAGE,"d\\u0061ta":{"results":RESULTS}}',
    `{"params":{"wallets":"${'0x1,'.repeat(50_000)}"},"pagination":PAGE,"data":{"results":RESULTS}}`,
  ])('%s hands the text of its records on untouched', (form) => {
    for (const results of [
      '[]',
      '[ ]',
      '[{"a": 1.50, "b":12345678901234567890}]',
      '[{"a":"x],"},{"a":"]}"},\n{"a":[1,[2]],"b":{"c":[]}}]',
      '[{"a":"é\\"]}}"}]',
      '[{"a":1,"a":2}]',
      '[{"a":1e400,"b":1.10}]',
    ]) {
      const text = form.replace('PAGE', JSON.stringify(pagination)).replace('RESULTS', () => results);
      expect(read(text)).toEqual({ limit: 10, offset: 0, hasMore: false, results });
    }
  });

  it('hands on the bytes of records that are no UTF-8, for decoding to refuse, wherever they stand', () => {
    const text = `{"data":{"count":1,"results":[{"a":"!"}]},"pagination":${JSON.stringify(pagination)}}`;
    const body = Buffer.from(text);
    body[body.indexOf('!')] = 0xff;
    const { results } = readPage(body, source);
    expect(Buffer.from(results).toString('latin1')).toBe('[{"a":"\xff"}]');
  });

  it('that is not UTF-8 itself is refused', () => {
    const body = Buffer.from(`{"params":"!","data":{"results":[]},"pagination":${JSON.stringify(pagination)}}`);
    body[body.indexOf('!')] = 0xff;
    expect(() => readPage(body, source)).toThrow('is no response envelope: the body: must be UTF-8 text.');
  });

  const page = JSON.stringify(pagination);
  it.each([
    ['data', `{"data":{"results":[{"b":2}]},"pagination":${page},"data":{"results":[{"a":1}]}}`],
    ['data', `{"data":5,"pagination":${page},"data":{"results":[{"a":1}]}}`],
    ['pagination', `{"pagination":${page},"pagination":${page},"data":{"results":[]}}`],
    ['results', `{"pagination":${page},"data":{"results":[{"a":1}],"results":[]}}`],
    ['results', `{"pagination":${page},"data":{"results":[],"r\\u0065sults":[{"a":1}]}}`],
    ['has_more', '{"pagination":{"limit":1,"offset":0,"has_more":true,"has_more":false},"data":{"results":[{"a":1}]}}'],
    ['[API key]', `{"${key}":1,"${key}":2,"pagination":${page},"data":{"results":[]}}`],
  ])('that has %s twice is refused: %s', (name, text) => {
    expect(failureOf(text)).toEqual(
      new AnswerError(
        `The answer of POST http://a/query is no response envelope: the body: has the field "${name}" twice; ` +
          'which of both values is right cannot be told.',
      ),
    );
  });

  it('is read as JSON.parse would read it, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(undefined, 1, 2),
        fc.boolean(),
        (results, params, indent, first) => {
          const data = first ? { results, params } : { params, results };
          const envelope = { timestamp: '', params, pagination, data };
          const page = readPage(Buffer.from(JSON.stringify(envelope, undefined, indent)), source);
          expect(JSON.parse(Buffer.from(page.results).toString())).toEqual(JSON.parse(JSON.stringify(results)));
        },
      ),
    );
  });

  it('may send numbers and truth as text, and a total', () => {
    const sent = { limit: '200', offset: '40', has_more: 'True', total: '1000' };
    const text = JSON.stringify({ pagination: sent, data: { results: [] } });
    expect(read(text)).toEqual({ limit: 200, offset: 40, hasMore: true, total: 1000, results: '[]' });
  });

  it.each<[unknown, string]>([
    [[], 'the body: must be an object'],
    [5, 'the body: must be an object'],
    [null, 'the body: must be an object'],
    [{ data: { results: [] } }, 'pagination: must be an object'],
    [{ pagination: [], data: { results: [] } }, 'pagination: must be an object'],
    [
      { pagination: { ...pagination, limit: 1.5 }, data: { results: [] } },
      'pagination.limit: must be a whole number of 0 or more; got 1.5',
    ],
    [
      { pagination: { ...pagination, limit: 'all' }, data: { results: [] } },
      'pagination.limit: must be a whole number of 0 or more; got "all"',
    ],
    [
      { pagination: { limit: 1, has_more: true }, data: { results: [] } },
      'pagination.offset: must be a whole number of 0 or more; got nothing',
    ],
    [
      { pagination: { ...pagination, offset: -1 }, data: { results: [] } },
      'pagination.offset: must be a whole number of 0 or more; got -1',
    ],
    [
      { pagination: { ...pagination, has_more: key }, data: { results: [] } },
      'pagination.has_more: must be true or false; got "[API key]"',
    ],
    [{ pagination }, 'data: must be an object'],
    [{ pagination, data: { results: {} } }, 'data.results: must be an array; got {}'],
    [{ pagination, data: { results: [5] } }, 'data.results.0: must be an object'],
  ])('%j is none: %s', (envelope, reason) => {
    expect(failureOf(JSON.stringify(envelope))).toEqual(
      new AnswerError(`The answer of POST http://a/query is no response envelope: ${reason}.`),
    );
  });

  it.each([`<html>${key}`, '', '{"data":{"results":[', '{"pagination":{},"data":{"results":[{"a":1}]}}}'])(
    'that is not JSON is told by its beginning: %s',
    (text) => {
      const error = failureOf(text);
      expect(error).toBeInstanceOf(AnswerError);
      const begins = JSON.stringify(source.hide(text).slice(0, 60));
      expect(String(error)).toBe(`AnswerError: The answer of POST http://a/query is not JSON; it begins ${begins}.`);
      expect(String((error as Error).cause)).not.toContain(key);
    },
  );
});
