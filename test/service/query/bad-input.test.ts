import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATASETS, type Dataset } from '../../../src/contract/dataset.js';
import type { Parameter } from '../../../src/contract/definition.js';
import { QUERY_PATH, SHORT_QUERY_PATH } from '../../../src/contract/envelope.js';
import fc from '../../support/fast-check.js';
import { walletOf } from '../../support/raw-records.js';
import { type Answered, answered } from '../../support/serve-folder.js';
import { type SmallService, serveSmall } from '../openapi/serve-small.js';
import { BODIES, TYPES } from './bad-input-bodies.js';
import { ENVELOPES } from './bad-input-envelopes.js';
import { FILTER_VALUES, valuesOf } from './bad-input-filters.js';

let small: SmallService;
const faults: unknown[] = [];
beforeAll(async () => {
  small = await serveSmall({ onError: (error) => faults.push(error) });
});
afterAll(async () => {
  await small.close();
  expect(faults).toEqual([]);
});

/** Posts a body as it is. */
async function post(body: string | Uint8Array, type = 'application/json', path = QUERY_PATH): Promise<Answered> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const init = { method: 'POST', headers: { 'Content-Type': type }, body: new Uint8Array(bytes) };
  return answered(await fetch(small.url + path, init));
}

/** The status of an answer and, of a refusal, the pointers of its errors; a refusal's form is checked. */
function outcome({ status, headers, json, text }: Answered): unknown[] {
  if (status === 200) {
    const notes = ['completeness', 'window', 'unknown'];
    expect(Object.keys(json).filter((name) => !notes.includes(name))).toEqual([
      'timestamp',
      'params',
      'pagination',
      'data',
    ]);
    return [status];
  }
  const { errors = [], ...rest } = json;
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(rest).toEqual({
    type: 'about:blank',
    title: expect.stringMatching(/^[A-Z][\w ]+$/),
    status,
    detail: expect.stringMatching(/^[A-Z][\s\S]*\.$/),
    request_id: headers.get('x-request-id'),
  });
  for (const { detail } of errors) expect(detail).toMatch(/^\S[\s\S]{3,300}$/);
  expect(text).not.toMatch(/node_modules|\bat \w+ \(|\.[jt]s:\d|duckdb|\bzod\b|SELECT \*/i);
  return [status, ...errors.map(({ pointer }: { pointer: string }) => pointer)];
}

const shown = (value: unknown) => (JSON.stringify(value) ?? 'undefined').slice(0, 70);

describe('an envelope', () => {
  it.each(ENVELOPES.map((each) => [shown(each[0]), each] as const))('%s', async (_, [sent, status, ...pointers]) => {
    const answer = await post(typeof sent === 'string' ? sent : JSON.stringify(sent));
    expect(outcome(answer)).toEqual([status, ...pointers]);
  });
});

describe('a body', () => {
  it.each(BODIES.map((each) => [each[0], each] as const))('of %s', async (_, [, bytes, status, ...pointers]) => {
    for (const path of [QUERY_PATH, SHORT_QUERY_PATH]) {
      expect(outcome(await post(bytes, undefined, path))).toEqual([status, ...pointers]);
    }
  });

  it.each(TYPES)('of type %j is answered %i', async (type, status) => {
    expect(outcome(await post('{"agent_id":574}', type))).toEqual([status]);
  });
});

describe.each<Dataset>(DATASETS)('dataset $id', ({ id, parameters }) => {
  const required = Object.fromEntries(
    parameters.filter((each) => each.required).map(({ name }) => [name, walletOf(1)]),
  );

  describe.each<Parameter>([...parameters])('$name', ({ name, ...rest }) => {
    const { taken, refused } = valuesOf({ name, ...rest });
    const asked = (value: unknown) => post(JSON.stringify({ agent_id: id, params: { ...required, [name]: value } }));

    it(`takes ${taken.length} values`, async () => {
      for (const value of taken) expect([shown(value), ...outcome(await asked(value))]).toEqual([shown(value), 200]);
    });

    it(`refuses ${refused.length} values`, async () => {
      for (const value of refused) {
        expect([shown(value), ...outcome(await asked(value))]).toEqual([shown(value), 422, `/params/${name}`]);
      }
    });
  });
});

describe('text is what it says and no pattern', () => {
  it.each([
    ['%', 0],
    ['_', 0],
    ['%will%', 0],
    ['will_it', 0],
    ['\\', 0],
    ["'", 0],
    ['.', 0],
    ['*', 0],
    ['?', 12],
    ['(1)', 1],
    ['WILL-IT', 12],
    ['it-happen-1', 4],
    ['', 12],
    ['will ', 12],
    ['will  ', 0],
    ['   ', 0],
  ])('%j finds %i markets', async (market_slug, count) => {
    const { json } = await post(JSON.stringify({ agent_id: 574, params: { market_slug } }));
    expect(json.data.results.length).toBe(count);
    expect(json.params).toEqual(market_slug === '' ? {} : { market_slug });
  });
});

describe('whatever bytes come', () => {
  const fine = new TextEncoder().encode(
    '{"agent_id":569,"params":{"wallet":"0x12","granularity":"1w"},"pagination":{"limit":5}}',
  );
  const anyStatus = async (bytes: Uint8Array) => {
    const [status] = outcome(await post(bytes));
    expect([200, 400, 404, 413, 422]).toContain(status);
  };

  it('they are refused or answered', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), anyStatus), { numRuns: 150 });
  });

  it('also where they are nearly a request', async () => {
    const edit = fc.record({ at: fc.nat(fine.length - 1), drop: fc.nat(3), put: fc.uint8Array({ maxLength: 3 }) });
    const edited = fc.array(edit, { minLength: 1, maxLength: 4 }).map((edits) =>
      edits.reduce((bytes, { at, drop, put }) => {
        return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + drop)]);
      }, Buffer.from(fine)),
    );
    await fc.assert(fc.asyncProperty(edited, anyStatus), { numRuns: 300 });
  });
});

it('the table is a table', () => {
  const kinds = Object.values(FILTER_VALUES).map(({ taken, refused }) => taken.length + refused.length);
  expect(kinds.reduce((a, b) => a + b) + ENVELOPES.length + BODIES.length + TYPES.length).toBeGreaterThan(600);
});
