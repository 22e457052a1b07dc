import type { CallExpression, Node, ParameterDeclaration, TypeParameterDeclaration } from 'typescript/unstable/ast';
import { type Amendment, inserted } from './amendments.js';
import { OF_LANGUAGE } from './callbacks.js';
import type { CellProgram } from './cell-program.js';
import { plain, variableOf } from './holders.js';

/** Variables, and calls of what calls give, are followed so far. */
const DEEPEST = 12;

/**
 * The amendment by which what a package makes without being told for which values may be for any: `d3.line()`, which a cell
 * then gives functions of its rows, and `d3.forceLink(links)`, whose nodes no argument tells. Its types would let the code
 * say so, `d3.line<Row>()`, and else take a guess.
 *
 * @param nodes What a finding is about: within an argument of what was made, or of one of its methods.
 * @returns undefined where there is no such call, or it says for which values.
 */
export async function madeForAny(program: CellProgram, nodes: readonly Node[]): Promise<Amendment[] | undefined> {
  const { syntax } = program.typescript;
  for (let node = nodes[0]; node?.parent; node = node.parent) {
    const { parent } = node;
    const isArgument = syntax.isCallExpression(parent) && parent.arguments.some((each) => each === node);
    const made = isArgument ? await firstCall(program, parent.expression) : undefined;
    const count = made ? await openTypesOf(program, made) : 0;
    const place = made && count > 0 ? program.place(made.expression) : undefined;
    if (place) {
      const text = `<${Array.from({ length: count }, () => 'any').join(', ')}>`;
      return [program.amendment(place, inserted(place.end, text))];
    }
  }
  return undefined;
}

/** The call with which a chain of methods and calls begins, wherever its value is kept; undefined if it tells types. */
async function firstCall(program: CellProgram, expression: Node, depth = 0): Promise<CallExpression | undefined> {
  const { syntax } = program.typescript;
  const node = plain(program, expression);
  if (depth > DEEPEST) return undefined;
  if (syntax.isPropertyAccessExpression(node)) return firstCall(program, node.expression, depth + 1);
  if (syntax.isCallExpression(node)) {
    const before = await firstCall(program, node.expression, depth + 1);
    return before ?? (node.typeArguments ? undefined : node);
  }
  const variable = await variableOf(program, node);
  if (!variable || !syntax.isVariableDeclaration(variable) || variable.type || !variable.initializer) return undefined;
  return firstCall(program, variable.initializer, depth + 1);
}

/** How many types a call of a package's function takes, of which its arguments leave one open; 0 where they leave none. */
async function openTypesOf(program: CellProgram, { expression, arguments: given }: CallExpression): Promise<number> {
  const { checker, typescript } = program;
  const type = await program.typeOf(expression);
  const signatures = type ? await checker.getSignaturesOfType(type, typescript.api.SignatureKind.Call) : [];
  for (const { declaration, typeParameters, thisParameter } of signatures) {
    if (!declaration || !typeParameters?.length || thisParameter !== undefined) continue;
    if (program.isOfCell(declaration) || OF_LANGUAGE.test(declaration.path)) return 0;
    const node = await declaration.resolve();
    if (!node || !('parameters' in node) || !('typeParameters' in node)) continue;
    const parameters = node.parameters as readonly ParameterDeclaration[];
    const types = (node.typeParameters ?? []) as readonly TypeParameterDeclaration[];
    const isOptional = (each: ParameterDeclaration): boolean => Boolean(each.questionToken ?? each.dotDotDotToken);
    const fits = given.length <= parameters.length && parameters.slice(given.length).every(isOptional);
    const texts = parameters.map((each) => each.type?.getText() ?? '');
    const isIn = ({ name }: TypeParameterDeclaration, text: string): boolean =>
      new RegExp(`\\b${name.text}\\b`).test(text);
    const isTold = (each: TypeParameterDeclaration): boolean =>
      texts.slice(0, given.length).some((text) => isIn(each, text));
    // A default says what a function gives, unless an argument that was left out would have told it.
    const isGuess = (each: TypeParameterDeclaration): boolean =>
      !each.defaultType || (given.length === 0 && texts.some((text) => isIn(each, text)));
    const isOpen = (each: TypeParameterDeclaration): boolean => !isTold(each) && isGuess(each);
    if (fits && types.some(isOpen)) return types.length;
  }
  return 0;
}
