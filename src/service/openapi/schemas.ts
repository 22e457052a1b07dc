import { NAMED } from '../../contract/answer-notes.js';
import { FIGURES, type Figure, type FigureKind } from '../../contract/completeness.js';
import { DATASETS, type Dataset } from '../../contract/dataset.js';
import type { Column, Dtype, Parameter, ParameterKind } from '../../contract/definition.js';
import { DEFAULT_LIMIT, MAX_LIMIT, REFUSALS } from '../../contract/envelope.js';
import { MAX_AMOUNT, MAX_CONDITIONS, MAX_COUNT, MAX_TEXT, MAX_WALLETS } from '../../contract/filters.js';
import { LEADERBOARD } from '../../contract/leaderboard.js';
import { PNL, PNL_BY } from '../../contract/pnl.js';
import { FIRST_SECOND, GRANULARITIES, LAST_SECOND } from '../../contract/time.js';

/** The schemas of one dataset, by their names in the document. */
export function datasetSchemas(dataset: Dataset): Record<string, JsonSchema> {
  const name = schemaName(dataset);
  return {
    [`${name}Request`]: requestSchema(dataset),
    [`${name}Record`]: recordSchema(dataset),
    ...(dataset.id === PNL.id ? { [`${name}ByRecord`]: recordSchema(PNL_BY) } : {}),
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
        agent_id: { enum: [id, String(id)], description: `The dataset: ${title}. Its number, or that as text.` },
        params: {
          description: 'Filters; what is left out does not filter.',
          ...closedObject(params, required),
          ...(required.length > 0 ? {} : { type: ['object', 'null'] }),
        },
        pagination: orNull(schemaRef('Pagination')),
        formatter_config: orNull(schemaRef('FormatterConfig')),
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
  const wallets = parameters.find(({ kind }) => kind === 'wallet');
  const echoed = parameters.filter(({ required, default: byDefault }) => required || byDefault !== undefined);
  const echo = parameters.map(({ name, meaning }) => [name, { type: 'string', description: meaning }]);
  return {
    title: `${title}: answer`,
    ...closedObject(
      {
        timestamp: { type: 'string', format: 'date-time', description: 'When the answer was made, UTC.' },
        params: {
          description: 'The filters that were applied, as text, defaults included.',
          ...closedObject(
            Object.fromEntries(echo),
            echoed.map(({ name }) => name),
          ),
        },
        pagination: schemaRef('PageInfo'),
        ...(dataset.id === LEADERBOARD.id ? { window: BOARD_WINDOW } : {}),
        ...(wallets ? { completeness: COMPLETENESS } : {}),
        ...(dataset.parameters.some(({ name }) => Object.hasOwn(NAMED, name)) ? { unknown: UNKNOWN } : {}),
        data: closedObject({
          results: { type: 'array', items: itemSchema(dataset), maxItems: MAX_LIMIT },
        }),
      },
      // A query that names no wallet is answered without it.
      ['timestamp', 'params', 'pagination', ...(wallets?.required ? ['completeness'] : []), 'data'],
    ),
  };
}

/** A record; with the filter `by` there are more fields in it. */
function itemSchema(dataset: Dataset): JsonSchema {
  const record = schemaRef(`${schemaName(dataset)}Record`);
  return dataset.id === PNL.id ? { anyOf: [record, schemaRef(`${schemaName(dataset)}ByRecord`)] } : record;
}

const DAY = { type: 'string', format: 'date' };

const BOARD_WINDOW: JsonSchema = {
  description: 'The days that count, UTC, both included; absent of data without an event.',
  ...closedObject({
    first: { ...DAY, description: 'First day.' },
    last: { ...DAY, description: 'Last day: the last one of the data on which anything counts.' },
    wallets: { type: 'integer', description: 'Wallets with an event that counts on these days.' },
    others: {
      type: 'integer',
      description: 'Other wallets of the data, which are not ranked: their records may end earlier.',
    },
  }),
};

const UNKNOWN: JsonSchema = {
  type: 'array',
  description:
    'Names in the filters that nothing in the data has, so that no record can pass them; absent if there is none, and on pages after the first.',
  items: closedObject(
    {
      filter: { type: 'string', enum: Object.keys(NAMED), description: 'The filter.' },
      value: { type: 'string', description: 'The text that it was given; of a list, the one of its entries.' },
      nearest: { type: 'string', description: 'A name of the data that may have been meant.' },
    },
    ['filter', 'value'],
  ),
};

const COMPLETENESS: JsonSchema = {
  type: 'object',
  description:
    'By each wallet that the query names, or of a leaderboard that names none each wallet on the page: how complete its record is.',
  additionalProperties: schemaRef('Completeness'),
};

const DTYPES: Readonly<Record<Dtype, { type: string; format?: string }>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  float64: { type: 'number', format: 'double' },
  datetime: { type: 'string', format: 'date-time' },
};

/** A decimal number with up to six places, as micro-dollars have. */
const DECIMAL = '^-?[0-9]+(\\.[0-9]{1,6})?$';

/** The schema of one field of a record as it is sent; its unit is in the description. */
function columnSchema({ dtype, unit, nullable, decimal, meaning }: Column): JsonSchema {
  const { type, ...format } = decimal ? { type: 'string', pattern: DECIMAL } : DTYPES[dtype];
  return {
    description: unit === undefined ? meaning : `${meaning} Unit: ${unit}.`,
    type: nullable ? [type, 'null'] : type,
    ...format,
  };
}

const WALLET = '0x[0-9a-fA-F]{40}';
const CONDITION = '0x[0-9a-fA-F]{64}';

/** Up to ten digits of at most {@link MAX_COUNT}, 2147483647. */
const COUNT_TEXT =
  '^([01][0-9]{0,9}|[2-9][0-9]{0,8}|20[0-9]{8}|21[0-3][0-9]{7}|214[0-6][0-9]{6}|2147[0-3][0-9]{5}|21474[0-7][0-9]{4}|' +
  '214748[0-2][0-9]{3}|2147483[0-5][0-9]{2}|21474836[0-3][0-9]|214748364[0-7])$';

/**
 * What may be sent for each kind of filter. The service accepts a little more: blanks around a value, and null or empty
 * text for an optional filter that is left out. It accepts all that these schemas accept, except times out of range.
 */
const KINDS: Readonly<Record<ParameterKind, JsonSchema>> = {
  boolean: { enum: ['True', 'False', 'true', 'false', 'TRUE', 'FALSE', '1', '0', true, false, 1, 0] },
  amount: {
    anyOf: [
      { type: 'string', pattern: `^(0?[0-9]{1,12}(\\.[0-9]{1,26})?|${MAX_AMOUNT}(\\.0{1,26})?)$` },
      { type: 'number', minimum: 0, maximum: MAX_AMOUNT },
    ],
  },
  signedAmount: {
    anyOf: [
      { type: 'string', pattern: `^-?(0?[0-9]{1,12}(\\.[0-9]{1,6})?|${MAX_AMOUNT}(\\.0{1,6})?)$` },
      { type: 'integer', minimum: -MAX_AMOUNT, maximum: MAX_AMOUNT },
    ],
  },
  count: {
    anyOf: [
      { type: 'string', pattern: COUNT_TEXT },
      { type: 'integer', minimum: 0, maximum: MAX_COUNT },
    ],
  },
  text: {
    anyOf: [
      { type: 'string', pattern: '^[^\\u0000]+$', maxLength: MAX_TEXT },
      { type: 'number', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'boolean' },
    ],
  },
  choice: { type: 'string' },
  conditionId: { type: 'string', pattern: `^(${CONDITION}|ALL)$` },
  conditionIds: { type: 'string', pattern: `^${CONDITION}(,${CONDITION}){0,${MAX_CONDITIONS - 1}}$` },
  tokenId: { type: 'string', pattern: '^[!-~]{1,100}$' },
  wallet: { type: 'string', pattern: `^${WALLET}(,${WALLET}){0,${MAX_WALLETS - 1}}$` },
  unixSeconds: {
    anyOf: [
      {
        type: 'string',
        pattern: '^(-[0-9]{1,11}|[0-9]{1,12})$',
        description: `Whole seconds from ${FIRST_SECOND} to ${LAST_SECOND}.`,
      },
      { type: 'integer', minimum: FIRST_SECOND, maximum: LAST_SECOND },
    ],
  },
  date: { type: 'string', format: 'date' },
  granularity: { type: 'string', enum: GRANULARITIES },
};

/** The schema of one filter, as it is sent. */
function parameterSchema(parameter: Parameter): JsonSchema {
  const { meaning, example, default: byDefault } = parameter;
  return {
    description: meaning,
    ...valueSchema(parameter),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    examples: [example],
  };
}

/** What a filter takes: what its kind does, or its wildcard. */
function valueSchema({ kind, choices, wildcard }: Parameter): JsonSchema {
  if (choices) return { type: 'string', enum: wildcard === undefined ? choices : [...choices, wildcard] };
  const schema = KINDS[kind];
  if (wildcard === undefined || kind === 'text') return schema;
  return { anyOf: [...(schema.anyOf ?? [schema]), { type: 'string', const: wildcard }] };
}

const LIMIT = { type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: 'The most records in the page.' };

const BEFORE = 'How many records come before the page.';
const OFFSET = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: BEFORE };

/** What may also be null, which is the same as leaving it out. */
function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

/** The schemas that every dataset uses, by their names in the document. */
export function sharedSchemas(): Record<string, JsonSchema> {
  return {
    // It has no discriminator, whose values must be texts: `agent_id` is a number.
    Request: {
      description: 'A query. agent_id chooses the dataset, and with it the filters.',
      oneOf: DATASETS.map((dataset) => schemaRef(`${schemaName(dataset)}Request`)),
    },
    Answer: {
      description: "The answer's shape is its dataset's.",
      anyOf: DATASETS.map((dataset) => schemaRef(`${schemaName(dataset)}Answer`)),
    },
    Pagination: {
      description: 'Which page of the records.',
      ...closedObject({ limit: { ...LIMIT, default: DEFAULT_LIMIT }, offset: { ...OFFSET, default: 0 } }, []),
    },
    FormatterConfig: {
      description: 'How records are formatted: raw is the one way.',
      ...closedObject({ format_type: { type: 'string', const: 'raw', default: 'raw' } }, []),
    },
    PageInfo: closedObject({
      limit: LIMIT,
      offset: OFFSET,
      has_more: { type: 'boolean', description: 'Whether records follow this page. Exact.' },
    }),
    Completeness: completenessSchema(),
    Problem: problemSchema(),
  };
}

/** What is sent of each kind of figure; those that are 0 or not known are left out. */
const FIGURE_KINDS: Readonly<Record<FigureKind, JsonSchema>> = {
  time: { type: 'string', format: 'date-time' },
  count: { type: 'integer', format: 'int32' },
  micros: { type: 'string', pattern: DECIMAL },
  truth: { type: 'boolean' },
  parts: {
    type: 'array',
    items: closedObject({
      what: { type: 'string', description: 'What is missing, such as activity.' },
      from: { type: ['string', 'null'], format: 'date-time', description: 'From when; null from the beginning.' },
      until: { type: ['string', 'null'], format: 'date-time', description: 'Until when; null for all that follows.' },
      why: { type: 'string', description: 'Why it could not be had.' },
    }),
  },
};

function completenessSchema(): JsonSchema {
  const figures = Object.entries<Figure>(FIGURES).map(([name, { kind, unit, meaning }]) => [
    name,
    { description: unit === undefined ? meaning : `${meaning} Unit: ${unit}.`, ...FIGURE_KINDS[kind] },
  ]);
  return {
    description: "How complete a wallet's record is. A figure that is 0 or not known is left out.",
    ...closedObject(
      { seen: { type: 'boolean', description: 'Whether any record mentions it.' }, ...Object.fromEntries(figures) },
      ['seen'],
    ),
  };
}

function problemSchema(): JsonSchema {
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

/** The part of JSON Schema 2020-12 that the document uses. */
export interface JsonSchema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | readonly string[];
  format?: string;
  const?: unknown;
  enum?: readonly unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  examples?: readonly unknown[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  maxItems?: number;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
}

/** A reference to a schema of the document. */
export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with these members and no others. */
function closedObject(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
}
