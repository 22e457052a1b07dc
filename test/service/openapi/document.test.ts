import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { DATASETS } from '../../../src/contract/dataset.js';
import { QUERY_PATH, REFUSALS, SHORT_QUERY_PATH } from '../../../src/contract/envelope.js';
import { readFilters } from '../../../src/contract/filters.js';
import { ProblemError, problemOf } from '../../../src/service/http/problems.js';
import { openApiDocument } from '../../../src/service/openapi/openapi-document.js';
import { exampleOf } from '../../../src/service/openapi/request-examples.js';
import { schemaName, schemaRef } from '../../../src/service/openapi/schemas.js';
import { schemaErrors } from './schema-errors.js';

const document = openApiDocument('1.2.3');

/** Every `$ref` within a value. */
function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => (key === '$ref' ? [String(each)] : refsOf(each)));
}

/** What a reference within the document points to. */
function resolve(ref: string): unknown {
  const steps = ref.replace('#/', '').split('/');
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
}

describe('the document', () => {
  it('is OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.stringify(document, null, 1))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has one operation on two paths, and every reference leads somewhere', () => {
    expect(Object.keys(document.paths)).toEqual([QUERY_PATH, SHORT_QUERY_PATH]);
    const refs = refsOf(document);
    expect(refs.length).toBeGreaterThan(40);
    expect(refs.filter((ref) => resolve(ref) === undefined)).toEqual([]);
  });

  it('chooses the request by agent_id, whose number stands in each and in no discriminator, which takes texts', () => {
    const { Request: request = {}, ...schemas } = document.components.schemas;
    const numbers = request.oneOf?.map(
      ({ $ref = '' }) => schemas[String($ref.split('/').at(-1))]?.properties?.agent_id,
    );
    expect(numbers).toMatchObject(DATASETS.map(({ id }) => ({ enum: [id, String(id)] })));
    expect(Object.keys(request)).toEqual(['description', 'oneOf']);
  });

  it('names every refusal as the service does', () => {
    const said = REFUSALS.map(({ status }) => problemOf(new ProblemError(status, 'Why.'), 'id'));
    expect(said.map(({ title }) => title)).toEqual(REFUSALS.map(({ title }) => title));
    expect(said.flatMap((problem) => schemaErrors(document, schemaRef('Problem'), problem))).toEqual([]);
  });
});

describe.each(DATASETS)('dataset $id', (dataset) => {
  const name = schemaName(dataset);
  const { request, answer } = exampleOf(dataset);

  it('has examples that fit their own schemas and no other dataset', () => {
    expect(schemaErrors(document, schemaRef(`${name}Request`), request)).toEqual([]);
    expect(schemaErrors(document, schemaRef('Request'), request)).toEqual([]);
    expect(schemaErrors(document, schemaRef(`${name}Answer`), answer)).toEqual([]);
  });

  it('has an example that the contract reads and echoes as the example says', () => {
    const { echo, errors } = readFilters(dataset, request.params);
    expect({ echo, errors }).toEqual({ echo: answer.params, errors: [] });
  });

  it('has every filter and every field', () => {
    const { schemas } = document.components;
    const filters = schemas[`${name}Request`]?.properties?.params?.properties ?? {};
    expect(Object.keys(filters)).toEqual(dataset.parameters.map((parameter) => parameter.name));
    expect(Object.keys(schemas[`${name}Record`]?.properties ?? {})).toEqual(
      dataset.columns.map((column) => column.name),
    );
  });

  it('takes each of its own examples of filters', () => {
    const params = document.components.schemas[`${name}Request`]?.properties?.params;
    const examples = Object.fromEntries(dataset.parameters.map((parameter) => [parameter.name, parameter.example]));
    expect(schemaErrors(document, params ?? {}, examples)).toEqual([]);
  });
});

describe('the checker of schemas', () => {
  it.each<[unknown, string[]]>([
    [{ agent_id: 574 }, []],
    [{ agent_id: 569 }, ['/ does not fit exactly one choice']],
    [{ agent_id: 574, params: { closed: 'yes' } }, ['/ does not fit exactly one choice']],
    [{ agent_id: 574, pagination: { limit: 1001 } }, ['/ does not fit exactly one choice']],
    [[], ['/ does not fit exactly one choice']],
  ])('of %j says %j', (request, errors) => {
    expect(schemaErrors(document, schemaRef('Request'), request)).toEqual(errors);
  });
});
