import type { OpenApiDocument } from '../../../src/service/openapi/openapi-document.js';
import type { JsonSchema } from '../../../src/service/openapi/schemas.js';
import fc from '../../support/fast-check.js';

/** Random values that a schema of the document accepts. */
export function arbitraryOf(document: OpenApiDocument, schema: JsonSchema): fc.Arbitrary<unknown> {
  const { $ref, anyOf, oneOf, type, properties = {}, required = [] } = schema;
  if ($ref) return arbitraryOf(document, document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  const choices = anyOf ?? oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => arbitraryOf(document, choice)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (typeof type === 'object') {
    return fc.oneof(...type.map((each) => arbitraryOf(document, { ...schema, type: each })));
  }
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
      return fc.integer(bounds(schema));
    case 'number':
      return fc.double({ ...bounds(schema), noNaN: true });
    case 'string':
      return text(schema);
    case 'object': {
      const members: Record<string, fc.Arbitrary<unknown>> = {};
      for (const [name, each] of Object.entries(properties)) members[name] = arbitraryOf(document, each);
      return fc.record(members, { requiredKeys: [...required] });
    }
    default:
      throw new Error(`no values can be drawn for ${JSON.stringify(schema)}`);
  }
}

function bounds({ minimum = -1e9, maximum = 1e9 }: JsonSchema): { min: number; max: number } {
  return { min: minimum, max: maximum };
}

function text({ format, pattern, maxLength = 100 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date') {
    const range = { min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };
    return fc.date(range).map((date) => date.toISOString().slice(0, 10));
  }
  // Free text is drawn from all of Unicode; a class of "anything but" would give ASCII alone.
  if (!pattern || pattern.includes('[^')) {
    return fc.string({ unit: 'binary', minLength: 1, maxLength }).map((drawn) => drawn.replaceAll('\0', '%'));
  }
  // Lists of up to a hundred wallets take long to generate; three show as much.
  const short = pattern.replace('{0,99}', '{0,2}');
  return fc.stringMatching(new RegExp(short, 'u'));
}
