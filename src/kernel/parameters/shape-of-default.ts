import type { CallExpression, Expression, ObjectProperty } from 'oxc-parser';
import { ANY, nameOfKey, type ParameterShape, shapeOfLiteral, UNCHECKED } from './parameter-shape.js';

/** The values that may replace a default: those of its type as TypeScript would widen it. */
export function shapeOfDefault(value: Expression): ParameterShape {
  switch (value.type) {
    case 'Literal':
    case 'UnaryExpression':
    case 'TemplateLiteral':
      return widened(shapeOfLiteral(value));
    case 'BinaryExpression':
      return shapeOfBinary(value);
    case 'ArrayExpression':
      return { kind: 'array', of: shapeOfElements(value.elements) };
    case 'ObjectExpression':
      return { kind: 'object', fields: fieldsOf(value.properties), rest: ANY };
    case 'NewExpression':
      return shapeOfNew(value.callee);
    case 'CallExpression':
      return shapeOfCall(value);
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'ClassExpression':
      return { kind: 'foreign', name: 'a function' };
    case 'Identifier':
      return { undefined: ANY, NaN: NUMBER, Infinity: NUMBER }[value.name] ?? UNCHECKED;
    case 'ConditionalExpression':
      return either([shapeOfDefault(value.consequent), shapeOfDefault(value.alternate)]);
    case 'LogicalExpression':
      return value.operator === '&&' ? UNCHECKED : shapeOfDefault(value.right);
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return shapeOfDefault(value.expression);
    default:
      return UNCHECKED;
  }
}

const NUMBER: ParameterShape = { kind: 'number' };

function shapeOfBinary({ left, right, operator }: Extract<Expression, { type: 'BinaryExpression' }>): ParameterShape {
  if (/^([=!]==?|[<>]=?|in|instanceof)$/.test(operator)) return { kind: 'boolean' };
  if (left.type === 'PrivateIdentifier') return UNCHECKED;
  const kinds = [shapeOfDefault(left).kind, shapeOfDefault(right).kind];
  if (operator === '+' && kinds.includes('string')) return { kind: 'string' };
  if (kinds.every((kind) => kind === 'bigint')) return { kind: 'bigint' };
  // Except in addition, one number makes the result a number.
  const isNumber = operator === '+' ? kinds.every((kind) => kind === 'number') : kinds.includes('number');
  return isNumber ? NUMBER : UNCHECKED;
}

function shapeOfNew(callee: Expression): ParameterShape {
  if (callee.type !== 'Identifier') return UNCHECKED;
  return callee.name === 'Date' ? { kind: 'date' } : { kind: 'foreign', name: `an object of the class ${callee.name}` };
}

/** What a global function returns. */
const RETURNED = new Map<string, ParameterShape>([
  ['Number', NUMBER],
  ['parseInt', NUMBER],
  ['parseFloat', NUMBER],
  ['String', { kind: 'string' }],
  ['Boolean', { kind: 'boolean' }],
  ['BigInt', { kind: 'bigint' }],
]);

function shapeOfCall({ callee }: CallExpression): ParameterShape {
  if (callee.type === 'Identifier') return RETURNED.get(callee.name) ?? UNCHECKED;
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier' || callee.computed) return UNCHECKED;
  const isNumber = callee.object.name === 'Math' || (callee.object.name === 'Date' && callee.property.name === 'now');
  return isNumber ? NUMBER : UNCHECKED;
}

function widened(shape: ParameterShape): ParameterShape {
  return shape.kind === 'literal' ? { kind: typeof shape.value as 'string' | 'number' | 'boolean' } : shape;
}

function shapeOfElements(elements: Extract<Expression, { type: 'ArrayExpression' }>['elements']): ParameterShape {
  const shapes = elements.map((each) => (each && each.type !== 'SpreadElement' ? shapeOfDefault(each) : UNCHECKED));
  return shapes.length === 0 ? ANY : either(shapes);
}

/** The union of shapes, each only once. */
function either(shapes: ParameterShape[]): ParameterShape {
  const distinct = [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()];
  const [first = ANY] = distinct;
  return distinct.length === 1 ? first : { kind: 'union', of: distinct };
}

type Fields = Extract<ParameterShape, { kind: 'object' }>['fields'];

function fieldsOf(properties: Extract<Expression, { type: 'ObjectExpression' }>['properties']): Fields {
  const plain = properties.filter((each): each is ObjectProperty => each.type === 'Property' && !each.computed);
  return Object.fromEntries(
    plain.flatMap(({ key, value }) => {
      const name = nameOfKey(key);
      return name === undefined ? [] : [[name, { shape: shapeOfDefault(value), isOptional: false }]];
    }),
  );
}
