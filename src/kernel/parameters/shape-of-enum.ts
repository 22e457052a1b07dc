import type { TSEnumDeclaration } from 'oxc-parser';
import { type EnumMember, type ParameterShape, UNCHECKED } from './parameter-shape.js';
import { shapeOfLiteral } from './shape-of-literal.js';

/** The members of an enum; `unchecked` if one has a computed value. */
export function shapeOfEnum({ id, body }: TSEnumDeclaration): ParameterShape {
  const members: EnumMember[] = [];
  for (const { id: key, initializer } of body.members) {
    const last = members.at(-1)?.value ?? -1;
    const shape = initializer ? shapeOfLiteral(initializer) : undefined;
    const value =
      shape?.kind === 'literal' ? shape.value : initializer || typeof last === 'string' ? undefined : last + 1;
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : undefined;
    if (value === undefined || typeof value === 'boolean' || name === undefined) return UNCHECKED;
    const isPlain = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
    members.push({ name, value, source: isPlain ? `${id.name}.${name}` : `${id.name}[${JSON.stringify(name)}]` });
  }
  return { kind: 'enum', members };
}
