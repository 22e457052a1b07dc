import type { Expression, ObjectProperty, Program, TSType } from 'oxc-parser';

/** What values a parameter takes, as far as its declaration tells. */
export type ParameterShape =
  | { kind: 'any' | 'string' | 'number' | 'boolean' | 'null' | 'bigint' | 'date' }
  | { kind: 'literal'; value: string | number | boolean }
  | { kind: 'array'; of: ParameterShape }
  /** `fields` are known by name, `rest` holds for all others; without it any others are taken. */
  | { kind: 'object'; fields: Record<string, { shape: ParameterShape; isOptional: boolean }>; rest?: ParameterShape }
  | { kind: 'union'; of: ParameterShape[] };

/** The types that a cell names itself. */
export type NamedTypes = ReadonlyMap<string, TSType>;

const KEYWORDS: Readonly<Record<string, ParameterShape>> = {
  TSStringKeyword: { kind: 'string' },
  TSNumberKeyword: { kind: 'number' },
  TSBooleanKeyword: { kind: 'boolean' },
  TSNullKeyword: { kind: 'null' },
  TSUndefinedKeyword: { kind: 'null' },
  TSBigIntKeyword: { kind: 'bigint' },
};

const ANY: ParameterShape = { kind: 'any' };

/** What a type lets by: `any` for what only the type checker could tell. */
export function shapeOfType(type: TSType, named: NamedTypes = new Map()): ParameterShape {
  const inner = (each: TSType): ParameterShape => shapeOfType(each, named);
  switch (type.type) {
    case 'TSLiteralType':
      return shapeOfLiteral(type.literal);
    case 'TSUnionType':
      return { kind: 'union', of: type.types.map(inner) };
    case 'TSArrayType':
      return { kind: 'array', of: inner(type.elementType) };
    case 'TSTupleType':
      return { kind: 'array', of: ANY };
    case 'TSParenthesizedType':
      return inner(type.typeAnnotation);
    case 'TSTypeOperator':
      return type.operator === 'readonly' ? inner(type.typeAnnotation) : ANY;
    case 'TSTypeLiteral':
      return { kind: 'object', fields: fieldsOfType(type.members, named) };
    case 'TSTypeReference':
      return shapeOfReference(type, named);
    default:
      return KEYWORDS[type.type] ?? ANY;
  }
}

/** What a default lets by in its place: its own type as TypeScript would widen it. */
export function shapeOfDefault(value: Expression): ParameterShape {
  switch (value.type) {
    case 'Literal':
    case 'UnaryExpression':
    case 'TemplateLiteral':
      return widened(shapeOfLiteral(value));
    case 'ArrayExpression':
      return { kind: 'array', of: shapeOfElements(value.elements) };
    case 'ObjectExpression':
      return { kind: 'object', fields: fieldsOfDefault(value.properties) };
    case 'NewExpression':
      return value.callee.type === 'Identifier' && value.callee.name === 'Date' ? { kind: 'date' } : ANY;
    case 'LogicalExpression':
      return value.operator === '&&' ? ANY : shapeOfDefault(value.right);
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return shapeOfDefault(value.expression);
    default:
      return ANY;
  }
}

/** The types that the statements of a cell name, so that a parameter of such a type can be checked. */
export function namedTypesOf(body: Program['body']): NamedTypes {
  return new Map(
    body.flatMap((statement): [string, TSType][] => {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      const isPlain = declaration?.type === 'TSTypeAliasDeclaration' && !declaration.typeParameters;
      return isPlain ? [[declaration.id.name, declaration.typeAnnotation]] : [];
    }),
  );
}

function shapeOfReference(type: Extract<TSType, { type: 'TSTypeReference' }>, named: NamedTypes): ParameterShape {
  if (type.typeName.type !== 'Identifier') return ANY;
  const [first, second] = type.typeArguments?.params ?? [];
  const { name } = type.typeName;
  if (name === 'Date') return { kind: 'date' };
  if (name === 'Array' || name === 'ReadonlyArray') {
    return { kind: 'array', of: first ? shapeOfType(first, named) : ANY };
  }
  if (name === 'Record') return { kind: 'object', fields: {}, rest: second ? shapeOfType(second, named) : ANY };
  const meant = named.get(name);
  // Without its own name, so that a type that names itself ends.
  const others = new Map([...named].filter(([other]) => other !== name));
  return meant ? shapeOfType(meant, others) : ANY;
}

function shapeOfLiteral(node: Expression): ParameterShape {
  if (node.type === 'TemplateLiteral') return { kind: 'string' };
  if (node.type === 'UnaryExpression') {
    const shape = shapeOfLiteral(node.argument);
    const isNegative = node.operator === '-' && shape.kind === 'literal' && typeof shape.value === 'number';
    if (isNegative) return { kind: 'literal', value: -Number(shape.value) };
    return node.operator === '-' && shape.kind === 'bigint' ? shape : ANY;
  }
  if (node.type !== 'Literal') return ANY;
  if ('bigint' in node) return { kind: 'bigint' };
  const { value } = node;
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? { kind: 'literal', value } : ANY;
}

function widened(shape: ParameterShape): ParameterShape {
  return shape.kind === 'literal' ? { kind: typeof shape.value as 'string' | 'number' | 'boolean' } : shape;
}

function shapeOfElements(elements: Extract<Expression, { type: 'ArrayExpression' }>['elements']): ParameterShape {
  const shapes = elements.map((each) => (each && each.type !== 'SpreadElement' ? shapeOfDefault(each) : ANY));
  const [first = ANY] = shapes;
  return shapes.every((shape) => JSON.stringify(shape) === JSON.stringify(first)) ? first : ANY;
}

type Fields = Extract<ParameterShape, { kind: 'object' }>['fields'];

function fieldsOfDefault(properties: Extract<Expression, { type: 'ObjectExpression' }>['properties']): Fields {
  const plain = properties.filter((each): each is ObjectProperty => each.type === 'Property' && !each.computed);
  return Object.fromEntries(
    plain.flatMap(({ key, value }) => {
      const name = nameOf(key);
      return name === undefined ? [] : [[name, { shape: shapeOfDefault(value), isOptional: false }]];
    }),
  );
}

function fieldsOfType(members: Extract<TSType, { type: 'TSTypeLiteral' }>['members'], named: NamedTypes): Fields {
  return Object.fromEntries(
    members.flatMap((member) => {
      if (member.type !== 'TSPropertySignature' || member.computed) return [];
      const name = nameOf(member.key);
      const shape = member.typeAnnotation ? shapeOfType(member.typeAnnotation.typeAnnotation, named) : ANY;
      return name === undefined ? [] : [[name, { shape, isOptional: member.optional }]];
    }),
  );
}

function nameOf(key: { type: string; name?: unknown; value?: unknown }): string | undefined {
  const name = key.type === 'Identifier' ? key.name : key.value;
  return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined;
}
