import type { ParameterShape } from '../../kernel/parameters/parameter-shape.js';

const PLAIN: Readonly<Record<string, string>> = {
  any: 'anything',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  undefined: 'null for undefined',
  bigint: 'a whole number',
  date: 'a date such as 2025-01-31 or 2025-01-31T09:30:00Z',
  object: 'an object',
  unchecked: 'anything',
};

/** What a parameter takes, as part of a sentence. @example shapeText({ kind: 'number' }); // 'a number' */
export function shapeText(shape: ParameterShape): string {
  if (shape.kind === 'literal') return JSON.stringify(shape.value);
  if (shape.kind === 'enum') {
    return shape.members.map(({ source, value }) => `${source} (${JSON.stringify(value)})`).join(' or ');
  }
  if (shape.kind === 'union') return shape.of.map(shapeText).join(' or ');
  if (shape.kind === 'array') return shape.of.kind === 'any' ? 'a list' : `a list, each ${shapeText(shape.of)}`;
  if (shape.kind === 'tuple') return tupleText(shape);
  if (shape.kind === 'pattern') return `a string such as ${shape.text}`;
  if (shape.kind === 'foreign') return shape.name;
  return PLAIN[shape.kind] ?? shape.kind;
}

function tupleText({ items, required, of }: Extract<ParameterShape, { kind: 'tuple' }>): string {
  const most = of ? ' or more' : items.length > required ? ` to ${items.length}` : '';
  return `a list of ${required}${most}${items.length > 0 ? `: ${items.map(shapeText).join(', ')}` : ''}`;
}
