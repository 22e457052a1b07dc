import type { OpenApiDocument } from '../../../src/service/openapi/openapi-document.js';
import type { JsonSchema } from '../../../src/service/openapi/schemas.js';

type Rule = (value: unknown, schema: JsonSchema, at: Place) => string[];

interface Place {
  document: OpenApiDocument;
  path: string;
}

/** Whether a value is of a JSON Schema type. */
function isOf(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

/** A check for each format that the document names. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(text).toJSON()?.slice(0, 10) === text,
  'date-time': (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text)),
  'uri-reference': (text) => URL.canParse(text, 'http://localhost'),
  double: () => true,
  int32: () => true,
};

const say = (holds: boolean, { path }: Place, what: string) => (holds ? [] : [`${path || '/'} ${what}`]);

const RULES: Readonly<Record<string, Rule>> = {
  type: (value, { type }, at) => {
    const types = typeof type === 'string' ? [type] : (type ?? []);
    return say(
      types.some((each) => isOf(each, value)),
      at,
      `is no ${types.join(' or ')}`,
    );
  },
  const: (value, schema, at) => say(value === schema.const, at, `is not ${schema.const}`),
  enum: (value, schema, at) => say(schema.enum?.includes(value) ?? false, at, `is none of ${schema.enum}`),
  pattern: (value, { pattern = '' }, at) =>
    say(typeof value !== 'string' || new RegExp(pattern, 'u').test(value), at, `does not match ${pattern}`),
  minLength: (value, { minLength = 0 }, at) =>
    say(typeof value !== 'string' || [...value].length >= minLength, at, 'is short'),
  maxLength: (value, { maxLength = 0 }, at) =>
    say(typeof value !== 'string' || [...value].length <= maxLength, at, 'is long'),
  minimum: (value, { minimum = 0 }, at) => say(typeof value !== 'number' || value >= minimum, at, 'is small'),
  maximum: (value, { maximum = 0 }, at) => say(typeof value !== 'number' || value <= maximum, at, 'is large'),
  format: (value, { format = '' }, at) =>
    say(value === null || typeof value !== 'string' || (FORMATS[format]?.(value) ?? false), at, `is no ${format}`),
  required: (value, { required = [] }, at) =>
    isOf('object', value)
      ? required.flatMap((name) => say(Object.hasOwn(value as object, name), at, `lacks ${name}`))
      : [],
  properties: (value, { properties = {} }, { document, path }) =>
    !isOf('object', value)
      ? []
      : Object.entries(value as object).flatMap(([name, member]) =>
          Object.hasOwn(properties, name)
            ? schemaErrors(document, properties[name] ?? {}, member, `${path}/${name}`)
            : [],
        ),
  additionalProperties: (value, { properties = {}, additionalProperties: others }, at) =>
    isOf('object', value)
      ? Object.entries(value as object).flatMap(([name, member]) => {
          if (Object.hasOwn(properties, name)) return [];
          const path = `${at.path}/${name}`;
          return typeof others === 'object'
            ? schemaErrors(at.document, others, member, path)
            : say(false, at, `has ${name}`);
        })
      : [],
  items: (value, { items = {} }, { document, path }) =>
    Array.isArray(value) ? value.flatMap((item, index) => schemaErrors(document, items, item, `${path}/${index}`)) : [],
  maxItems: (value, { maxItems = 0 }, at) => say(!Array.isArray(value) || value.length <= maxItems, at, 'is long'),
  anyOf: (value, { anyOf = [] }, at) => say(matches(anyOf, value, at) > 0, at, 'fits none of the choices'),
  oneOf: (value, { oneOf = [] }, at) => say(matches(oneOf, value, at) === 1, at, 'does not fit exactly one choice'),
  $ref: (value, { $ref = '' }, { document, path }) => {
    const target = document.components.schemas[$ref.replace('#/components/schemas/', '')];
    return target ? schemaErrors(document, target, value, path) : [`${$ref} is not in the document`];
  },
};

/** Keywords that describe and do not constrain. */
const SILENT = ['title', 'description', 'default', 'examples'];

function matches(choices: readonly JsonSchema[], value: unknown, { document, path }: Place): number {
  return choices.filter((choice) => schemaErrors(document, choice, value, path).length === 0).length;
}

/** The ways in which a value breaks a schema of the document; an unknown keyword is an error, too. */
export function schemaErrors(document: OpenApiDocument, schema: JsonSchema, value: unknown, path = ''): string[] {
  return Object.keys(schema).flatMap((keyword) => {
    if (SILENT.includes(keyword)) return [];
    return RULES[keyword]?.(value, schema, { document, path }) ?? [`${keyword} is not known here`];
  });
}
