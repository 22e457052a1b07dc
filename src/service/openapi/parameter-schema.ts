import type { Parameter, ParameterKind } from '../../contract/definition.js';
import { MAX_AMOUNT, MAX_TEXT, MAX_WALLETS } from '../../contract/filters.js';
import { FIRST_SECOND, GRANULARITIES, LAST_SECOND } from '../../contract/time.js';
import type { JsonSchema } from './json-schema.js';

const WALLET = '0x[0-9a-fA-F]{40}';

/**
 * What may be sent for each kind of filter. The service accepts a little more: blanks around a value, and null or empty
 * text for an optional filter that is left out. It accepts all that these schemas accept, except times out of range.
 */
const KINDS: Readonly<Record<ParameterKind, JsonSchema>> = {
  boolean: { enum: ['True', 'False', 'true', 'false', true, false] },
  amount: {
    anyOf: [
      { type: 'string', pattern: `^(0?[0-9]{1,12}(\\.[0-9]{1,26})?|${MAX_AMOUNT}(\\.0{1,26})?)$` },
      { type: 'number', minimum: 0, maximum: MAX_AMOUNT },
    ],
  },
  text: {
    anyOf: [
      { type: 'string', pattern: '^[^\\u0000]+$', maxLength: MAX_TEXT },
      { type: 'number', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'boolean' },
    ],
  },
  conditionId: { type: 'string', pattern: '^(0x[0-9a-fA-F]{64}|ALL)$' },
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
export function parameterSchema({ kind, meaning, example, default: byDefault }: Parameter): JsonSchema {
  return {
    description: meaning,
    ...KINDS[kind],
    ...(byDefault === undefined ? {} : { default: byDefault }),
    examples: [example],
  };
}
