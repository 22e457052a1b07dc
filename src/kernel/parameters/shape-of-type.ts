import type {
  Program,
  Statement,
  TSEnumDeclaration,
  TSInterfaceDeclaration,
  TSSignature,
  TSTemplateLiteralType,
  TSTupleType,
  TSType,
} from 'oxc-parser';
import { ANY, nameOfKey, type ParameterShape, shapeOfEnum, shapeOfLiteral, UNCHECKED } from './parameter-shape.js';

type ObjectShape = Extract<ParameterShape, { kind: 'object' }>;

const KEYWORDS: Readonly<Record<string, ParameterShape>> = {
  TSStringKeyword: { kind: 'string' },
  TSNumberKeyword: { kind: 'number' },
  TSBooleanKeyword: { kind: 'boolean' },
  TSNullKeyword: { kind: 'null' },
  TSUndefinedKeyword: { kind: 'undefined' },
  TSVoidKeyword: { kind: 'undefined' },
  TSBigIntKeyword: { kind: 'bigint' },
  TSObjectKeyword: { kind: 'object', fields: {}, rest: ANY },
  TSAnyKeyword: ANY,
  TSUnknownKeyword: ANY,
  TSSymbolKeyword: { kind: 'foreign', name: 'a symbol' },
  TSFunctionType: { kind: 'foreign', name: 'a function' },
};

/** Built-in classes whose values cannot be data. */
const CLASSES = /^(Map|Set|Weak\w+|RegExp|Promise|Function|URL|Error|Buffer|ArrayBuffer|\w+Array)$/;

/** The values that a type allows; `unchecked` if only the type checker could judge them. */
export function shapeOfType(type: TSType, named: NamedTypes = new Map()): ParameterShape {
  const inner = (each: TSType): ParameterShape => shapeOfType(each, named);
  switch (type.type) {
    case 'TSLiteralType':
      return shapeOfLiteral(type.literal);
    case 'TSTemplateLiteralType':
      return shapeOfTemplate(type);
    case 'TSUnionType':
      return { kind: 'union', of: type.types.map(inner) };
    case 'TSIntersectionType':
      return merged(type.types.map(inner));
    case 'TSArrayType':
      return { kind: 'array', of: inner(type.elementType) };
    case 'TSTupleType':
      return shapeOfTuple(type, inner);
    case 'TSParenthesizedType':
      return inner(type.typeAnnotation);
    case 'TSTypeOperator':
      return type.operator === 'readonly' ? inner(type.typeAnnotation) : UNCHECKED;
    case 'TSTypeLiteral':
      return shapeOfMembers(type.members, inner);
    case 'TSTypeReference':
      return shapeOfReference(type, named);
    default:
      return KEYWORDS[type.type] ?? UNCHECKED;
  }
}

function shapeOfReference(type: Extract<TSType, { type: 'TSTypeReference' }>, named: NamedTypes): ParameterShape {
  if (type.typeName.type !== 'Identifier') return UNCHECKED;
  const { name } = type.typeName;
  if (named.has(name)) return shapeOfNamed(name, named);
  const shapes = (type.typeArguments?.params ?? []).map((each) => shapeOfType(each, named));
  const [first = UNCHECKED, second = UNCHECKED] = shapes;
  if (name === 'Date') return { kind: 'date' };
  if (name === 'Array' || name === 'ReadonlyArray') return { kind: 'array', of: first };
  if (name === 'Record') return { kind: 'object', fields: {}, rest: second };
  if (name === 'Readonly') return first;
  if (name === 'Partial' && first.kind === 'object') return optional(first);
  const isVowel = /^[AEIOU](?!RL)/.test(name);
  return CLASSES.test(name) ? { kind: 'foreign', name: `${isVowel ? 'an' : 'a'} ${name}` } : UNCHECKED;
}

function shapeOfNamed(name: string, named: NamedTypes): ParameterShape {
  // Without its own name, so that a recursive type ends.
  const others: NamedTypes = new Map(
    [...named].filter(([other]) => other !== name).concat([[name, { kind: 'generic' }]]),
  );
  const inner = (type: TSType): ParameterShape => shapeOfType(type, others);
  const meant = named.get(name);
  switch (meant?.kind) {
    case 'alias':
      return inner(meant.type);
    case 'enum':
      return shapeOfEnum(meant.declaration);
    case 'class':
      return { kind: 'foreign', name: `an object of the class ${name}` };
    case 'interface': {
      const bases = meant.parts
        .flatMap((part) => part.extends ?? [])
        .map(({ expression, typeArguments }) => {
          const isPlain = expression.type === 'Identifier' && !typeArguments && others.has(expression.name);
          return isPlain ? shapeOfNamed(expression.name, others) : UNCHECKED;
        });
      return merged([...bases, ...meant.parts.map(({ body }) => shapeOfMembers(body.body, inner))]);
    }
    default:
      return UNCHECKED;
  }
}

function shapeOfMembers(members: readonly TSSignature[], inner: (type: TSType) => ParameterShape): ParameterShape {
  const shape: ObjectShape = { kind: 'object', fields: {}, ...(members.length === 0 ? { rest: ANY } : {}) };
  for (const member of members) {
    if (member.type === 'TSIndexSignature') shape.rest = inner(member.typeAnnotation.typeAnnotation);
    if (member.type === 'TSCallSignatureDeclaration') return { kind: 'foreign', name: 'a function' };
    const isField = member.type === 'TSPropertySignature' || member.type === 'TSMethodSignature';
    const name = isField && !member.computed ? nameOfKey(member.key) : undefined;
    if (!isField || name === undefined) continue;
    const isMethod = member.type === 'TSMethodSignature';
    const type = isMethod ? undefined : member.typeAnnotation?.typeAnnotation;
    const own: ParameterShape = isMethod ? { kind: 'foreign', name: 'a function' } : type ? inner(type) : ANY;
    shape.fields[name] = { shape: own, isOptional: member.optional };
  }
  return shape;
}

function shapeOfTuple({ elementTypes }: TSTupleType, inner: (type: TSType) => ParameterShape): ParameterShape {
  const items: ParameterShape[] = [];
  let required = 0;
  for (const element of elementTypes) {
    const plain = element.type === 'TSNamedTupleMember' ? element.elementType : element;
    if (plain.type === 'TSRestType') {
      const rest = plain.typeAnnotation.type === 'TSNamedTupleMember' ? UNCHECKED : inner(plain.typeAnnotation);
      const isLast = element === elementTypes.at(-1);
      if (!isLast) return { kind: 'array', of: UNCHECKED };
      return { kind: 'tuple', items, required, of: rest.kind === 'array' ? rest.of : UNCHECKED };
    }
    const isOptional = plain.type === 'TSOptionalType' || (element.type === 'TSNamedTupleMember' && element.optional);
    items.push(inner(plain.type === 'TSOptionalType' ? plain.typeAnnotation : plain));
    if (!isOptional) required = items.length;
  }
  return { kind: 'tuple', items, required };
}

const HOLES: Readonly<Record<string, string>> = {
  TSStringKeyword: '[\\s\\S]*',
  TSNumberKeyword: '[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?',
  TSBigIntKeyword: '-?\\d+',
  TSBooleanKeyword: '(?:true|false)',
};

function shapeOfTemplate({ quasis, types }: TSTemplateLiteralType): ParameterShape {
  const holes = types.map(({ type }) => HOLES[type]);
  if (holes.includes(undefined)) return UNCHECKED;
  const parts = quasis.map(({ value }, index) => escaped(value.cooked ?? value.raw) + (holes[index] ?? ''));
  const names = types.map(({ type }) => /^TS(\w+)Keyword$/.exec(type)?.[1]?.toLowerCase() ?? type);
  const text = quasis
    .map(({ value }, index) => value.raw + (index < names.length ? `\${${names[index]}}` : ''))
    .join('');
  return { kind: 'pattern', source: `^${parts.join('')}$`, text: `\`${text}\`` };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** What all of the shapes allow, if they are objects. */
function merged(shapes: ParameterShape[]): ParameterShape {
  const [first] = shapes;
  if (shapes.length === 1 && first) return first;
  const objects = shapes.filter((shape): shape is ObjectShape => shape.kind === 'object');
  if (objects.length < shapes.length) return UNCHECKED;
  const rest = objects.find((shape) => shape.rest)?.rest;
  const fields = Object.assign({}, ...objects.map((shape) => shape.fields));
  return { kind: 'object', fields, ...(rest ? { rest } : {}) };
}

function optional(shape: ObjectShape): ParameterShape {
  const fields = Object.entries(shape.fields).map(([name, field]) => [name, { ...field, isOptional: true }]);
  return { ...shape, fields: Object.fromEntries(fields) };
}

/** What a name stands for that a cell declares as a type. */
type NamedType =
  | { kind: 'alias'; type: TSType }
  /** Several declarations of one name form one interface. */
  | { kind: 'interface'; parts: TSInterfaceDeclaration[] }
  | { kind: 'enum'; declaration: TSEnumDeclaration }
  | { kind: 'class' }
  /** A type with type parameters of its own. */
  | { kind: 'generic' };

/** The types that a cell declares, by name. */
export type NamedTypes = ReadonlyMap<string, NamedType>;

/** The types that the statements of a cell declare, so that a parameter of such a type can be checked. */
export function namedTypesOf(body: Program['body']): NamedTypes {
  const types = new Map<string, NamedType>();
  for (const statement of body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    const type = declaration ? namedBy(declaration) : undefined;
    if (!type || !declaration || !('id' in declaration) || declaration.id?.type !== 'Identifier') continue;
    const { name } = declaration.id;
    const older = types.get(name);
    const isMore = older?.kind === 'interface' && type.kind === 'interface';
    types.set(name, isMore ? { kind: 'interface', parts: [...older.parts, ...type.parts] } : type);
  }
  return types;
}

function namedBy(declaration: Statement): NamedType | undefined {
  switch (declaration.type) {
    case 'TSTypeAliasDeclaration':
      return declaration.typeParameters ? { kind: 'generic' } : { kind: 'alias', type: declaration.typeAnnotation };
    case 'TSInterfaceDeclaration':
      return declaration.typeParameters ? { kind: 'generic' } : { kind: 'interface', parts: [declaration] };
    case 'TSEnumDeclaration':
      return { kind: 'enum', declaration };
    case 'ClassDeclaration':
      return { kind: 'class' };
    default:
      return undefined;
  }
}
