import type { TSEnumDeclaration } from 'oxc-parser';
import { type ParameterShape, UNCHECKED } from './parameter-shape.js';
import { shapeOfLiteral } from './shape-of-literal.js';

/** The values of an enum; `unchecked` where one is computed. */
export function shapeOfEnum({ body }: TSEnumDeclaration): ParameterShape {
  const values: (string | number)[] = [];
  for (const { initializer } of body.members) {
    const last = values.at(-1) ?? -1;
    const shape = initializer ? shapeOfLiteral(initializer) : undefined;
    const value =
      shape?.kind === 'literal' ? shape.value : initializer || typeof last === 'string' ? undefined : last + 1;
    if (value === undefined || typeof value === 'boolean') return UNCHECKED;
    values.push(value);
  }
  return { kind: 'union', of: values.map((value) => ({ kind: 'literal', value })) };
}
