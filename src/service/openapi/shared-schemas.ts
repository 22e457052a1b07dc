import { DATASETS } from '../../contract/dataset.js';
import { DEFAULT_LIMIT, MAX_LIMIT, REFUSALS } from '../../contract/envelope.js';
import { schemaName } from './dataset-schemas.js';
import { closedObject, type JsonSchema, schemaRef } from './json-schema.js';

const limit: JsonSchema = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_LIMIT,
  description: 'The most records in the page.',
};

const offset: JsonSchema = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'How many records come before the page.',
};

/** The schemas that every dataset uses, by their names in the document. */
export function sharedSchemas(): Record<string, JsonSchema> {
  return {
    Request: oneOfDatasets(),
    Answer: {
      description: "The answer's shape is its dataset's.",
      anyOf: DATASETS.map((dataset) => schemaRef(`${schemaName(dataset)}Answer`)),
    },
    Pagination: {
      description: 'Which page of the records.',
      ...closedObject({ limit: { ...limit, default: DEFAULT_LIMIT }, offset: { ...offset, default: 0 } }, []),
    },
    FormatterConfig: {
      description: 'How records are formatted: raw is the one way.',
      ...closedObject({ format_type: { type: 'string', const: 'raw', default: 'raw' } }, []),
    },
    PageInfo: closedObject({
      limit,
      offset,
      has_more: { type: 'boolean', description: 'Whether records follow this page. Exact.' },
    }),
    Problem: problem(),
  };
}

/** The requests of all datasets. It has no discriminator, whose values must be texts: `agent_id` is a number. */
function oneOfDatasets(): JsonSchema {
  return {
    description: 'A query. agent_id chooses the dataset, and with it the filters.',
    oneOf: DATASETS.map((dataset) => schemaRef(`${schemaName(dataset)}Request`)),
  };
}

function problem(): JsonSchema {
  const errors = closedObject({
    pointer: { type: 'string', description: 'JSON pointer to the place in the request.', examples: ['/params/walet'] },
    detail: { type: 'string', description: 'What is wrong there.' },
  });
  return {
    description: 'Why a request was refused: RFC 9457 problem details.',
    ...closedObject(
      {
        type: { type: 'string', format: 'uri-reference', const: 'about:blank' },
        title: { type: 'string', description: 'The status in words.' },
        status: { type: 'integer', enum: REFUSALS.map(({ status }) => status) },
        detail: { type: 'string', description: 'What was wrong, for a person.' },
        errors: { type: 'array', items: errors, description: 'Each fault by its place, where places can be named.' },
        request_id: { type: 'string', description: "The request's id, as in the header X-Request-Id." },
      },
      ['type', 'title', 'status', 'detail', 'request_id'],
    ),
  };
}
