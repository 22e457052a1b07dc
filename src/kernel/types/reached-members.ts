import type { BindingElement, CallExpression, Node, ParameterDeclaration } from 'typescript/unstable/ast';
import type { Type } from 'typescript/unstable/async';
import { type Step, valueMember } from './amendments.js';
import type { CellProgram } from './cell-program.js';
import { type Held, isOfValue, memberOf, memberOfVariable, plain, SAID, saysType, writtenType } from './holders.js';
import { partsOf } from './makers.js';

/** What a variable is first given, and how an object is reached from there: `rows[0].market` by a list and a field. */
interface Reached {
  source: Node;
  steps: readonly Step[];
  /** Whether a variable holds it, so that it can be read again. */
  isHeld: boolean;
}

const DEEPEST = 12;
/** Steps that keep the elements of what they are called on, those that give it itself, and those that give one of it. */
const WHOLE = /^(slice|filter|sort|reverse|toSorted|toReversed|concat|values)$/;
const ITSELF = /^(sort|reverse)$/;
const ONE_OF = /^(at|find|findLast|get|pop|shift)$/;

/**
 * A further member for an object that a library, or a class, makes: what holds it, or holds what it is an element or a
 * field of, shows it; no other value of the type does.
 */
export async function memberReached(program: CellProgram, object: Node, name: string): Promise<Held> {
  const reached = await reachedFrom(program, object, [], 0);
  if (reached === SAID) return SAID;
  const place = reached?.isHeld ? program.place(reached.source) : undefined;
  if (!reached || !place) return memberOfVariable(program, object, name);
  return [program.amendment(place, valueMember(place.start, place.end, name, reached.steps))];
}

/** Whether two expressions come from the value that one variable is first given. */
export async function comeFromOne(program: CellProgram, one: Node, other: Node): Promise<boolean> {
  const [first, second] = [await reachedFrom(program, one, [], 0), await reachedFrom(program, other, [], 0)];
  if (!first || !second || first === SAID || second === SAID) return false;
  return first.isHeld && second.isHeld && first.source === second.source;
}

type Found = Promise<Reached | typeof SAID | undefined>;

async function reachedFrom(program: CellProgram, expression: Node, steps: readonly Step[], depth: number): Found {
  const { syntax } = program.typescript;
  const node = plain(program, expression);
  if (depth > DEEPEST) return undefined;
  if (saysType(program, node)) return SAID;
  if (syntax.isIdentifier(node)) return byVariable(program, node, steps, depth);
  if (syntax.isPropertyAccessExpression(node)) return byField(program, node.expression, node.name.text, steps, depth);
  if (syntax.isElementAccessExpression(node)) {
    const key = node.argumentExpression;
    if (syntax.isStringLiteral(key) && (await memberOf(program, node.expression, key.text)))
      return byField(program, node.expression, key.text, steps, depth);
    return byElement(program, node.expression, steps, depth);
  }
  if (!syntax.isCallExpression(node)) return { source: node, steps, isHeld: false };
  return (await byStep(program, node, steps, depth)) ?? { source: node, steps, isHeld: false };
}

async function byVariable(program: CellProgram, node: Node, steps: readonly Step[], depth: number): Found {
  const { syntax } = program.typescript;
  const symbol = await program.symbolOf(node);
  const declared = symbol ? await program.declarations(symbol) : [];
  const [variable] = declared;
  if (!variable || declared.length > 1) return undefined;
  if (writtenType(program, variable)) return SAID;
  if (syntax.isBindingElement(variable)) return held(await byPattern(program, variable, steps, depth));
  if (syntax.isParameterDeclaration(variable)) return held(await byParameter(program, variable, steps, depth));
  if (!syntax.isVariableDeclaration(variable)) return undefined;
  const statement = variable.parent.parent;
  if (statement && syntax.isForOfStatement(statement))
    return held(await byElement(program, statement.expression, steps, depth));
  const value = variable.initializer && plain(program, variable.initializer);
  if (!value || (syntax.isArrayLiteralExpression(value) && value.elements.length === 0)) return undefined;
  return held(await reachedFrom(program, value, steps, depth + 1));
}

function held(found: Reached | typeof SAID | undefined): Reached | typeof SAID | undefined {
  return found && found !== SAID ? { ...found, isHeld: true } : found;
}

/** A field of an object: where a cell gives it its value, or by the whole object. */
async function byField(program: CellProgram, object: Node, name: string, steps: readonly Step[], depth: number): Found {
  const { syntax } = program.typescript;
  const symbol = await memberOf(program, object, name);
  const [field, other] = symbol ? await program.declarations(symbol) : [];
  const isOwn =
    field && !other && syntax.isPropertyAssignment(field) && !syntax.isArrayLiteralExpression(field.parent.parent);
  if (symbol && isOwn && (await isOfValue(program, symbol, field.initializer)))
    return held(await reachedFrom(program, field.initializer, steps, depth + 1));
  return reachedFrom(program, object, [{ field: name }, ...steps], depth + 1);
}

async function byElement(program: CellProgram, list: Node, steps: readonly Step[], depth: number): Found {
  const kind = await kindOf(program, list);
  return kind && reachedFrom(program, list, [kind.step, ...steps], depth + 1);
}

/** `rows.slice(1)`, `rows.at(-1)`, `Object.values(byDay)`; undefined for other calls. */
async function byStep(program: CellProgram, node: CallExpression, steps: readonly Step[], depth: number): Found {
  const { syntax } = program.typescript;
  const { expression, arguments: given } = node;
  if (!syntax.isPropertyAccessExpression(expression)) return undefined;
  const { name, expression: object } = expression;
  const symbol = await program.symbolOf(name);
  if (!symbol || !(await program.isOfLibrary(symbol))) return undefined;
  const [first] = given;
  if (first && syntax.isIdentifier(object) && /^(Object|Array)$/.test(object.text)) {
    // What is noted on the copy itself, the other lacks.
    if (steps.length === 0) return undefined;
    if (name.text === 'values') return reachedFrom(program, first, ['fields', ...steps.slice(1)], depth + 1);
    if (name.text === 'from' && given.length === 1) return reachedFrom(program, first, steps, depth + 1);
  }
  if (!(await kindOf(program, object))) return undefined;
  if (ONE_OF.test(name.text)) return byElement(program, object, steps, depth);
  const isWhole =
    (steps.length > 0 ? WHOLE : ITSELF).test(name.text) && given.every((each) => !syntax.isSpreadElement(each));
  return isWhole ? reachedFrom(program, object, steps, depth + 1) : undefined;
}

/** A part of what a pattern takes apart. */
async function byPattern(program: CellProgram, part: BindingElement, steps: readonly Step[], depth: number): Found {
  const { syntax } = program.typescript;
  const pattern = part.parent;
  const whole = pattern.parent;
  const key = (part.propertyName ?? part.name)?.getText();
  if (part.dotDotDotToken || key === undefined) return undefined;
  const step: Step = syntax.isObjectBindingPattern(pattern) ? { field: key } : 'list';
  const further = [step, ...steps];
  if (syntax.isBindingElement(whole)) return byPattern(program, whole, further, depth + 1);
  if (writtenType(program, whole)) return SAID;
  if (syntax.isParameterDeclaration(whole)) return byParameter(program, whole, further, depth);
  const value = syntax.isVariableDeclaration(whole) ? whole.initializer : undefined;
  return value && reachedFrom(program, value, further, depth + 1);
}

/** What a callback is given of the list whose method calls it. */
async function byParameter(
  program: CellProgram,
  parameter: ParameterDeclaration,
  steps: readonly Step[],
  depth: number,
): Found {
  const { syntax } = program.typescript;
  const call = parameter.parent.parent;
  if (!syntax.isArrowFunction(parameter.parent) && !syntax.isFunctionExpression(parameter.parent)) return undefined;
  if (!syntax.isCallExpression(call) || !syntax.isPropertyAccessExpression(call.expression)) return undefined;
  const list = call.expression.expression;
  const [kind, type] = [await kindOf(program, list), await program.typeOf(parameter.name)];
  if (!kind || kind.element === undefined || type?.id !== kind.element.id) return undefined;
  return reachedFrom(program, list, [kind.step, ...steps], depth + 1);
}

/** What an expression is a collection of, and how one of it is reached; undefined if it is none. */
async function kindOf(
  program: CellProgram,
  expression: Node,
): Promise<{ step: Step; element: Type | undefined } | undefined> {
  const { checker } = program;
  const { TypeFlags } = program.typescript.api;
  const type = await program.typeOf(expression);
  const [part] = type ? await partsOf(program, type) : [];
  if (!part) return undefined;
  const name = (await program.libraryName(part)) ?? '';
  const given = part.isTypeReference() ? await checker.getTypeArguments(part) : [];
  if (/^(Readonly)?Map$/.test(name)) return { step: 'map', element: given[1] };
  if (/^(Readonly)?Set$/.test(name)) return { step: 'set', element: given[0] };
  const infos = await checker.getIndexInfosOfType(part);
  const byNumber = infos.find(({ keyType }) => keyType.flags & TypeFlags.Number);
  if (byNumber) return { step: 'list', element: byNumber.valueType };
  const byName = infos.find(({ keyType }) => keyType.flags & TypeFlags.String);
  return byName && { step: 'fields', element: byName.valueType };
}
