import type { Expression } from 'oxc-parser';
import { ANY, type ParameterShape, UNCHECKED } from './parameter-shape.js';

/** The shape of a literal, as a type or a value: only that value. */
export function shapeOfLiteral(node: Expression): ParameterShape {
  if (node.type === 'TemplateLiteral') return { kind: 'string' };
  if (node.type === 'UnaryExpression') return shapeOfSigned(node.operator, shapeOfLiteral(node.argument));
  if (node.type !== 'Literal') return UNCHECKED;
  if ('bigint' in node) return { kind: 'bigint' };
  if ('regex' in node) return { kind: 'foreign', name: 'a regular expression' };
  const { value } = node;
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? { kind: 'literal', value } : ANY;
}

function shapeOfSigned(operator: string, shape: ParameterShape): ParameterShape {
  if (operator === '!') return { kind: 'boolean' };
  if (operator === '+') return { kind: 'number' };
  if (operator === 'typeof') return { kind: 'string' };
  if (operator !== '-') return UNCHECKED;
  const isNumber = shape.kind === 'literal' && typeof shape.value === 'number';
  if (isNumber) return { kind: 'literal', value: -Number(shape.value) };
  return shape.kind === 'bigint' ? shape : UNCHECKED;
}
