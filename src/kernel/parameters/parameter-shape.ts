import type { Expression, PropertyKey, TSEnumDeclaration, TSEnumMemberName } from 'oxc-parser';

/** The values that a parameter takes, as far as its declaration tells. */
export type ParameterShape =
  | { kind: 'any' | 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'bigint' | 'date' }
  | { kind: 'literal'; value: string | number | boolean }
  /** Strings that match a regular expression, given as its source; `text` is the type as written. */
  | { kind: 'pattern'; source: string; text: string }
  /** `items` are the shapes of the places; those from `required` on may be missing. `of` is that of further ones. */
  | { kind: 'tuple'; items: ParameterShape[]; required: number; of?: ParameterShape }
  | { kind: 'array'; of: ParameterShape }
  /** `fields` are the known names, `rest` the shape of all others; without it, only the checker could judge those. */
  | { kind: 'object'; fields: Record<string, { shape: ParameterShape; isOptional: boolean }>; rest?: ParameterShape }
  | { kind: 'union'; of: ParameterShape[] }
  | { kind: 'enum'; members: EnumMember[] }
  /** Only the type checker could judge the value. */
  | { kind: 'unchecked' }
  /** Not a kind of data: `a Map`, `a function`. */
  | { kind: 'foreign'; name: string };

/** A member of an enum. */
export interface EnumMember {
  name: string;
  value: string | number;
  /** How code refers to it: `Side.Yes`. The string of its value has another type. */
  source: string;
}

/** The shape that any value fits. */
export const ANY: ParameterShape = { kind: 'any' };

/** The shape for values that only the type checker could judge. */
export const UNCHECKED: ParameterShape = { kind: 'unchecked' };

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

/** The name by which a key that is not computed names a member; undefined if it is another expression. */
export function nameOfKey(key: PropertyKey | TSEnumMemberName): string | undefined {
  if (key.type === 'Literal') return String(key.value);
  return key.type === 'Identifier' ? key.name : undefined;
}

/** The members of an enum; `unchecked` if one has a computed value. */
export function shapeOfEnum({ id, body }: TSEnumDeclaration): ParameterShape {
  const members: EnumMember[] = [];
  for (const { id: key, initializer } of body.members) {
    const last = members.at(-1)?.value ?? -1;
    const shape = initializer ? shapeOfLiteral(initializer) : undefined;
    const value =
      shape?.kind === 'literal' ? shape.value : initializer || typeof last === 'string' ? undefined : last + 1;
    const name = nameOfKey(key);
    if (value === undefined || typeof value === 'boolean' || name === undefined) return UNCHECKED;
    const isPlain = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
    members.push({ name, value, source: isPlain ? `${id.name}.${name}` : `${id.name}[${JSON.stringify(name)}]` });
  }
  return { kind: 'enum', members };
}
