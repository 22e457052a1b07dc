import { DATASETS } from '../../contract/dataset.js';
import { QUERY_PATH, SHORT_QUERY_PATH } from '../../contract/envelope.js';
import { datasetSchemas, schemaName } from './dataset-schemas.js';
import { exampleOf } from './examples.js';
import { HEADERS } from './headers.js';
import { type JsonSchema, schemaRef } from './json-schema.js';
import { queryResponses, responses } from './responses.js';
import { sharedSchemas } from './shared-schemas.js';

/** An OpenAPI 3.1 document; only the parts that the project's own code reads are typed. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; summary: string; description: string };
  servers: readonly { url: string }[];
  security: readonly object[];
  paths: Readonly<Record<string, object>>;
  components: { schemas: Readonly<Record<string, JsonSchema>> } & Readonly<Record<string, object>>;
}

/**
 * Makes the description of the service's interface from the contract.
 *
 * @param version The service's version, such as `0.1.0`.
 */
export function openApiDocument(version: string): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Oddslab query service',
      version,
      summary: 'Prediction markets, and the profit and loss of the wallets that trade on them.',
      description:
        'One endpoint answers queries on every dataset; agent_id chooses the dataset. Filters travel as text; a JSON ' +
        'boolean or number of the same meaning is taken, too. A page for people is at /docs.',
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths: {
      [QUERY_PATH]: { post: operation('retrieve', 'Ask for a page of records.') },
      [SHORT_QUERY_PATH]: { post: operation('retrieveByShortPath', 'The same, by its short path.') },
    },
    components: {
      schemas: { ...sharedSchemas(), ...Object.assign({}, ...DATASETS.map(datasetSchemas)) },
      responses: responses(),
      headers: HEADERS,
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of this service. A service that was started with --open on loopback asks for none.',
        },
      },
    },
  };
}

function operation(operationId: string, summary: string): object {
  const examples = DATASETS.map((dataset) => [
    schemaName(dataset),
    { summary: dataset.title, value: exampleOf(dataset).request },
  ]);
  return {
    operationId,
    summary,
    parameters: [
      {
        name: 'If-None-Match',
        in: 'header',
        description: 'The ETag of an answer that you hold; where it still holds, the answer is 304 without a body.',
        schema: { type: 'string' },
      },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaRef('Request'), examples: Object.fromEntries(examples) } },
    },
    responses: queryResponses(),
  };
}
