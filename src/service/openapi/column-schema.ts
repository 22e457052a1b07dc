import type { Column, Dtype } from '../../contract/definition.js';
import type { JsonSchema } from './json-schema.js';

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
export function columnSchema({ dtype, unit, nullable, decimal, meaning }: Column): JsonSchema {
  const { type, ...format } = decimal ? { type: 'string', pattern: DECIMAL } : DTYPES[dtype];
  return {
    description: unit === undefined ? meaning : `${meaning} Unit: ${unit}.`,
    type: nullable ? [type, 'null'] : type,
    ...format,
  };
}
