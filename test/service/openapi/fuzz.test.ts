import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATASETS } from '../../../src/contract/dataset.js';
import { QUERY_PATH, SHORT_QUERY_PATH } from '../../../src/contract/envelope.js';
import type { OpenApiDocument } from '../../../src/service/openapi/openapi-document.js';
import { schemaName, schemaRef } from '../../../src/service/openapi/schemas.js';
import fc from '../../support/fast-check.js';
import { type Answered, ask } from '../../support/serve-folder.js';
import { arbitraryOf } from './arbitrary-of.js';
import { schemaErrors } from './schema-errors.js';
import { type SmallService, serveSmall } from './serve-small.js';

let small: SmallService;
let document: OpenApiDocument;
beforeAll(async () => {
  small = await serveSmall();
  document = (await (await fetch(`${small.url}/openapi.json`)).json()) as OpenApiDocument;
});
afterAll(() => small.close());

/** A member anywhere in a request made into something else, dropped, or added. */
const mutation = fc.record({
  doing: fc.constantFrom('replace', 'drop', 'add'),
  step: fc.nat(1000),
  value: fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.integer(), fc.constant(null)),
  name: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('__proto__', 'constructor', 'walet', 'Limit', 'toString'),
  ),
});

type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

/** A copy of a JSON value with one of its members changed. */
function mutated(request: unknown, { doing, step, value, name }: Mutation): unknown {
  const copy = JSON.parse(JSON.stringify(request));
  const objects = objectsIn(copy);
  const holder = objects[step % objects.length] ?? {};
  const names = Object.keys(holder);
  const chosen = names[step % Math.max(1, names.length)] ?? name;
  if (doing === 'drop') delete holder[chosen];
  else Object.defineProperty(holder, doing === 'add' ? name : chosen, { value, enumerable: true, configurable: true });
  return copy;
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(objectsIn)];
}

/** Whether a status is documented, and its body and headers are as the document says. */
function expectDocumented(dataset: string, { status, headers, json, text }: Answered): void {
  const responses = (document.paths[QUERY_PATH] as { post: { responses: Record<string, object> } }).post.responses;
  expect(Object.keys(responses), text).toContain(String(status));
  expect(status, text).not.toBe(500);
  expect(headers.get('x-request-id')).toBeTruthy();
  expect(headers.get('content-type')).toBe(status === 200 ? 'application/json' : 'application/problem+json');
  expect(schemaErrors(document, schemaRef(status === 200 ? `${dataset}Answer` : 'Problem'), json), text).toEqual([]);
  if (status === 200) {
    expect(headers.get('etag')).toMatch(/^(W\/)?".+"$/);
    expect(headers.get('oddslab-data-version')).toBeTruthy();
  }
}

/** What a schema cannot say of a request that it takes. */
const BEYOND_SCHEMAS = /^lies before |^must be a Unix time |^is less than /;

describe.each(DATASETS)('dataset $id', (dataset) => {
  const name = schemaName(dataset);
  // The document is known only once the service runs; reading its patterns takes long, so it is done once.
  let drawn: fc.Arbitrary<unknown> | undefined;
  const request = fc.constant(undefined).chain(() => {
    drawn ??= arbitraryOf(document, schemaRef(`${name}Request`));
    return drawn;
  });

  it('answers what its document takes', async () => {
    await fc.assert(
      fc.asyncProperty(request, fc.constantFrom(QUERY_PATH, SHORT_QUERY_PATH), async (body, path) => {
        expect(schemaErrors(document, schemaRef('Request'), body)).toEqual([]);
        const answer = await ask(small.url, body, { path });
        expectDocumented(name, answer);
        if (answer.status === 200) return;
        expect(answer.status).toBe(422);
        for (const { detail } of answer.json.errors) expect(detail).toMatch(BEYOND_SCHEMAS);
      }),
      { numRuns: 80 },
    );
  });

  it('refuses what its document does not take, or reads it as something that the document takes', async () => {
    await fc.assert(
      fc.asyncProperty(request, fc.array(mutation, { minLength: 1, maxLength: 3 }), async (body, mutations) => {
        const sent = mutations.reduce(mutated, body);
        const answer = await ask(small.url, sent);
        const asked = DATASETS.find(({ id }) => id === Number((sent as { agent_id?: unknown }).agent_id)) ?? dataset;
        expectDocumented(schemaName(asked), answer);
        if (answer.status !== 200) return;
        const { params, pagination, completeness, window, unknown, data } = answer.json;
        const { has_more, ...page } = pagination;
        const echoed = { agent_id: asked.id, params, pagination: page };
        expect(schemaErrors(document, schemaRef('Request'), echoed)).toEqual([]);
        const again = await ask(small.url, echoed);
        const members = { params, pagination, completeness, window, unknown, data };
        expect(again.json).toEqual({ timestamp: expect.any(String), ...members });
      }),
      { numRuns: 100 },
    );
  });
});

it('anything else that is JSON is refused by a documented status', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const answer = await ask(small.url, JSON.stringify(value));
      expectDocumented('Markets', answer);
      expect([400, 404, 422]).toContain(answer.status);
    }),
    { numRuns: 100 },
  );
});
