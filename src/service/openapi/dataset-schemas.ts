import type { Dataset } from '../../contract/dataset.js';
import { MAX_LIMIT } from '../../contract/envelope.js';
import { columnSchema } from './column-schema.js';
import { closedObject, type JsonSchema, schemaRef } from './json-schema.js';
import { parameterSchema } from './parameter-schema.js';

/** The schemas of one dataset, by their names in the document. */
export function datasetSchemas(dataset: Dataset): Record<string, JsonSchema> {
  const name = schemaName(dataset);
  return {
    [`${name}Request`]: requestSchema(dataset),
    [`${name}Record`]: recordSchema(dataset),
    [`${name}Answer`]: answerSchema(dataset),
  };
}

/** A dataset's name in the document: its command-line name in Pascal case, such as `MarketsByState`. */
export function schemaName({ name }: Dataset): string {
  return name.replace(/(^|-)[a-z]/g, (start) => start.replace('-', '').toUpperCase());
}

function requestSchema({ id, title, parameters }: Dataset): JsonSchema {
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const params = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameterSchema(parameter)]));
  return {
    title,
    ...closedObject(
      {
        agent_id: { type: 'integer', const: id, description: `The dataset: ${title}.` },
        params: { description: 'Filters; what is left out does not filter.', ...closedObject(params, required) },
        pagination: schemaRef('Pagination'),
        formatter_config: schemaRef('FormatterConfig'),
      },
      required.length > 0 ? ['agent_id', 'params'] : ['agent_id'],
    ),
  };
}

function recordSchema({ title, key, order, columns }: Dataset): JsonSchema {
  const fields = Object.fromEntries(columns.map((column) => [column.name, columnSchema(column)]));
  const description = `One record of ${title.toLowerCase()}. Told apart by ${key.join(' and ')}; ordered by ${order}.`;
  return { title: `${title}: record`, description, ...closedObject(fields) };
}

function answerSchema(dataset: Dataset): JsonSchema {
  const { title, parameters } = dataset;
  const echoed = parameters.filter(({ required, default: byDefault }) => required || byDefault !== undefined);
  const echo = parameters.map(({ name, meaning }) => [name, { type: 'string', description: meaning }]);
  return {
    title: `${title}: answer`,
    ...closedObject({
      timestamp: { type: 'string', format: 'date-time', description: 'When the answer was made, UTC.' },
      params: {
        description: 'The filters that were applied, as text, defaults included.',
        ...closedObject(
          Object.fromEntries(echo),
          echoed.map(({ name }) => name),
        ),
      },
      pagination: schemaRef('PageInfo'),
      data: closedObject({
        results: { type: 'array', items: schemaRef(`${schemaName(dataset)}Record`), maxItems: MAX_LIMIT },
      }),
    }),
  };
}
