import type { ParameterShape } from '../../kernel/parameter-shape.js';

const PLAIN: Readonly<Record<string, string>> = {
  any: 'anything',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  bigint: 'a whole number',
  date: 'a date such as 2025-01-31 or 2025-01-31T09:30:00Z',
  object: 'an object',
};

/** What a parameter takes, for the middle of a sentence. @example shapeText({ kind: 'number' }); // 'a number' */
export function shapeText(shape: ParameterShape): string {
  if (shape.kind === 'literal') return JSON.stringify(shape.value);
  if (shape.kind === 'union') return shape.of.map(shapeText).join(' or ');
  if (shape.kind === 'array') return shape.of.kind === 'any' ? 'a list' : `a list, each ${shapeText(shape.of)}`;
  return PLAIN[shape.kind] ?? shape.kind;
}
