import type { ParameterShape } from '../../kernel/parameters/parameter-shape.js';
import type { DeclaredParameter } from '../../kernel/parameters/parameters-of.js';
import { isName } from './given-by-text.js';
import { shapeText } from './shape-text.js';

/**
 * Describes the parameters of a notebook for a reader: one line each, with type, default and the parameter's comment.
 *
 * @param declared Undefined if no cell of the notebook is tagged `parameters`.
 */
export function describeParameters(path: string, declared: DeclaredParameter[] | undefined): string {
  if (!declared) return `${path}\n  no parameters: none of its cells has the tag "parameters"\n`;
  if (declared.length === 0) return `${path}\n  no parameters: the cell tagged "parameters" declares none\n`;
  const heads = declared.map(({ name, statedType, defaultText, shape }) => {
    const type = statedType ?? typeText(shape);
    return `  ${name}: ${type}${defaultText === undefined ? '' : ` = ${defaultText}`}`;
  });
  const width = Math.min(48, Math.max(...heads.map((head) => head.length)));
  const lines = declared.map((parameter, index) => {
    const head = heads[index] ?? '';
    const meaning = [parameter.description, choiceText(parameter)].filter(Boolean).join('; ');
    return meaning ? `${head.padEnd(width)}  ${meaning}` : head;
  });
  return [path, ...lines, ''].join('\n');
}

/** The values that a type allows, if the type's name does not show them. */
function choiceText({ statedType = '', shape }: DeclaredParameter): string {
  const isChoice =
    shape.kind === 'enum' || (shape.kind === 'union' && shape.of.every(({ kind }) => kind === 'literal'));
  return isChoice && (shape.kind === 'enum' || isName(statedType)) ? `one of ${shapeText(shape)}` : '';
}

function typeText(shape: ParameterShape): string {
  if (shape.kind === 'array') return `${shape.of.kind === 'union' ? `(${typeText(shape.of)})` : typeText(shape.of)}[]`;
  if (shape.kind === 'object') {
    const fields = Object.entries(shape.fields).map(([name, field]) => `${name}: ${typeText(field.shape)}`);
    return fields.length > 0 ? `{ ${fields.join('; ')} }` : 'object';
  }
  if (shape.kind === 'union') return shape.of.map(typeText).join(' | ');
  if (shape.kind === 'enum') return shape.members[0]?.source.split(/[.[]/, 1)[0] ?? 'enum';
  if (shape.kind === 'foreign') return shape.name;
  if (shape.kind === 'unchecked') return 'unknown';
  return shape.kind === 'date' ? 'Date' : shape.kind;
}
