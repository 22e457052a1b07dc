import type {
  CallExpression,
  NewExpression,
  Node,
  ParameterDeclaration,
  PropertyAccessExpression,
} from 'typescript/unstable/ast';
import type { Type } from 'typescript/unstable/async';
import { givesTexts, OF_LANGUAGE, saysType, takesMore } from './callbacks.js';
import type { CellProgram } from './cell-program.js';
import type { Finding } from './finding.js';
import { plain, variableOf } from './holders.js';
import { partsOf } from './makers.js';
import { isNeeded } from './needed-parameters.js';

/** Functions that convert their arguments, and methods that do. */
const CONVERTS =
  /^(Math\.\w+|(Number\.)?(isNaN|isFinite|parseInt|parseFloat)|(en|de)codeURI(Component)?|JSON\.parse|Date|Date\.parse)$/;
/** Those that make a text of what they are given. */
const ENCODES = /^(en|de)codeURI(Component)?$/;
/** What the message of a callback's parameter of another kind ends with. */
const OTHER_KIND =
  /Types of parameters[\s\S]*Type '(?:(?:string|number|boolean|null|undefined)(?: \| )?)+' is not assignable to type '\w+'\.$/;
const CONVERTING =
  /\.(repeat|padStart|padEnd|slice|substring|substr|charAt|charCodeAt|at|toFixed|toPrecision|replace|replaceAll|startsWith|endsWith|split|localeCompare|join|fromCharCode|set(UTC)?(FullYear|Month|Date|Hours|Minutes|Seconds|Milliseconds)|setTime)$/;
const TIMERS = /^set(Timeout|Interval)$/;
/** Methods that do without the argument that their types ask for. */
const DEFAULTING = /^(fill|at|charAt|charCodeAt|codePointAt)$/;
/** Methods for whose callbacks `undefined`, and `true` beside numbers, are as good as a number, and what is said of these. */
const CALLING = /^(sort|toSorted)$/;
const GIVES_LESS = /Type '(void|boolean)' is not assignable to type 'number'/;
const GIVES_BOOLEAN = /^Type 'boolean' is|\) => boolean' is not assignable/;
/** Those whose callbacks give texts. */
const REPLACING = /^(replace|replaceAll)$/;
/** What holds texts and makes them of what it is given. */
const WORDS = /^(URLSearchParams|Headers|FormData|\w*Error)$/;
/** What becomes its text where a text is asked for. */
const BYTES = /^(NonShared)?(Array)?Buffer$/;

type Called = CallExpression | NewExpression;

/** The call that a finding about the number of arguments is about: the one of its callee, or of the first argument too many. */
export function callOf(program: CellProgram, nodes: readonly Node[], isTooMany: boolean): Called | undefined {
  const { syntax } = program.typescript;
  for (const at of nodes)
    for (let node: Node | undefined = at; node; node = node.parent) {
      if (!syntax.isCallExpression(node) && !syntax.isNewExpression(node)) continue;
      const isArgument = node.arguments?.some((each) => each.pos <= at.pos && at.end <= each.end) ?? false;
      if (isArgument === isTooMany) return node;
    }
  return undefined;
}

/** Arguments that may be left out or given besides, since the function says nothing of its parameters. */
export async function takesAnyNumber(
  program: CellProgram,
  { message }: Finding,
  nodes: readonly Node[],
  isChanged: (name: string) => boolean,
): Promise<boolean> {
  const { syntax } = program.typescript;
  const [, least = '', given = ''] =
    /^Expected (?:at least )?(\d+)(?:-\d+)? arguments?, but got (\d+)/.exec(message) ?? [];
  const isTooMany = Number(given) > Number(least);
  const call = callOf(program, nodes, isTooMany);
  if (!call) return isUntypedTag(program, nodes);
  const { expression } = call;
  const name = syntax.isPropertyAccessExpression(expression) ? expression.name : expression;
  const declared = await declarationOf(program, call);
  if ((await isUntypedApply(program, call)) || (await isBound(program, expression))) return true;
  if (declared === 'library')
    return !isTooMany && (DEFAULTING.test(name.getText()) || (await isUntypedParameter(program, expression)));
  if (declared === undefined && isTooMany) return hasUnknownBase(program, expression);
  if (declared === undefined) return isUntypedParameter(program, expression);
  const parameters = parametersOf(declared);
  const isUntyped = parameters.some((each) => !saysType(program, each));
  if (usesArguments(program, declared)) return true;
  if (!isTooMany) {
    // One with a default may be left out in any case.
    const lacking = parameters.slice(Number(given), Number(least)).filter((each) => !saysType(program, each));
    if (lacking.length === 0) return false;
    if (!(await isItself(program, name, declared, isChanged))) return true;
    for (const each of lacking) if (await isNeeded(program, each)) return false;
    return true;
  }
  // What a function of the cells neither names nor reads is given by mistake; a method may stand for one that reads it.
  return isUntyped && (!syntax.isIdentifier(expression) || syntax.isNewExpression(call));
}

/** Whether a finding is about a template with a tag that says nothing of its parameters. */
async function isUntypedTag(program: CellProgram, nodes: readonly Node[]): Promise<boolean> {
  const { isTaggedTemplateExpression } = program.typescript.syntax;
  const template = nodes.flatMap((node) => [node, node.parent]).find(isTaggedTemplateExpression);
  const declared = template && (await declarationOf(program, template));
  if (!declared || declared === 'library') return false;
  return parametersOf(declared).some((each) => !saysType(program, each));
}

/** Whether a name stands for a function itself: not for one of several, nor for what may be another by then. */
async function isItself(
  program: CellProgram,
  name: Node,
  declared: Node,
  isChanged: (name: string) => boolean,
): Promise<boolean> {
  const { syntax } = program.typescript;
  const symbol = await program.symbolOf(name);
  const [found, ...others] = symbol ? await program.declarations(symbol) : [];
  if (!found || others.length > 0 || isChanged(name.getText())) return false;
  const isVariable = syntax.isVariableDeclaration(found);
  return (found === declared || found === declared.parent) && !(isVariable && !/^const\b/.test(found.parent.getText()));
}

/**
 * Whether an argument, or the attributes of a component, are for a parameter of which a function of a cell says nothing.
 *
 * @param argument The whole argument; undefined for attributes.
 */
export async function isOfUntypedParameter(program: CellProgram, call: Node, argument: Node | undefined) {
  const declared = await declarationOf(program, call);
  if (declared === undefined || declared === 'library') return false;
  const at = argument ? argumentsOf(program, call).indexOf(argument) : 0;
  const parameters = parametersOf(declared);
  const parameter = parameters[at] ?? parameters.at(-1);
  return parameter !== undefined && !saysType(program, parameter);
}

/** Whether a call passes a list of arguments to a function that takes anything, or is of the language: `f.apply(null, list)`. */
export async function isUntypedApply(program: CellProgram, call: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const callee = syntax.isCallExpression(call) ? call.expression : undefined;
  if (!callee || !syntax.isPropertyAccessExpression(callee) || !/^(apply|call|bind)$/.test(callee.name.text))
    return false;
  const type = await program.typeOf(callee.expression);
  const signatures = type
    ? await program.checker.getSignaturesOfType(type, program.typescript.api.SignatureKind.Call)
    : [];
  for (const { declaration } of signatures) {
    const node = declaration && program.isOfCell(declaration) ? await declaration.resolve() : undefined;
    const parameters = node ? parametersOf(node) : [];
    if (parameters.length > 0 && parameters.every((each) => saysType(program, each))) return false;
  }
  return true;
}

/** Whether an expression is a variable that holds a function without types which `bind` has made. */
async function isBound(program: CellProgram, expression: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const variable = await variableOf(program, expression);
  const value = variable && syntax.isVariableDeclaration(variable) ? variable.initializer : undefined;
  return value !== undefined && isUntypedApply(program, value);
}

/** An argument of a function of the language, or of Node's, that converts what it gets: `Math.max('3')`, `isNaN(text)`. */
export async function convertsArgument(
  program: CellProgram,
  finding: Finding,
  nodes: readonly Node[],
): Promise<boolean> {
  const { syntax, api } = program.typescript;
  const { TypeFlags } = api;
  const [at] = nodes;
  if (at && /^process\.env\b/.test(at.getText())) return true;
  if (at && ((await takesMore(program, finding, at)) || (await isConverter(program, finding, at)))) return true;
  const call = callOf(program, nodes, true);
  if (!at || !call || !(await isOfLanguage(program, call))) return false;
  const called = call.expression.getText();
  const argument = call.arguments?.findIndex((each) => each.pos <= at.pos && at.end <= each.end) ?? -1;
  if (WORDS.test(called)) return true;
  const given = call.arguments?.[argument];
  const name = syntax.isPropertyAccessExpression(call.expression) ? call.expression.name.text : '';
  const object =
    name === '' ? undefined : await program.typeOf((call.expression as PropertyAccessExpression).expression);
  if (object && (await isOfNames(program, object, WORDS))) return true;
  const type = given && (await program.typeOf(given));
  const isCalled = type && (await program.checker.getSignaturesOfType(type, api.SignatureKind.Call)).length > 0;
  // A boolean alone says of two values in either order that they are in order.
  if (isCalled && CALLING.test(name)) return GIVES_LESS.test(finding.message) && !GIVES_BOOLEAN.test(finding.message);
  if (isCalled && REPLACING.test(name)) return givesTexts(program, finding, type);
  if (TIMERS.test(called)) return argument === 1;
  for (const part of type ? await partsOf(program, type) : []) {
    const isPlain = (part.flags & (TypeFlags.Primitive | TypeFlags.AnyOrUnknown)) !== 0;
    const isBetween = isPlain || (await isOfNames(program, part, /^Date$/)) || (await isBytes(program, part));
    if (!isBetween && !(ENCODES.test(called) && (await isPlainList(program, part)))) return false;
  }
  // Of texts; a list keeps what it is given.
  if (name === 'concat' && object && object.flags & TypeFlags.StringLike) return true;
  return (
    type !== undefined &&
    (CONVERTS.test(called) || (CONVERTING.test(called) && (await isOfLanguage(program, call, true))))
  );
}

/** Whether a function of the language that converts its one argument is called with another kind: `numbers.map(parseFloat)`. */
async function isConverter(program: CellProgram, { message }: Finding, given: Node): Promise<boolean> {
  if (!CONVERTS.test(given.getText()) || !OTHER_KIND.test(message)) return false;
  const type = await program.typeOf(given);
  const kind = program.typescript.api.SignatureKind.Call;
  const signatures = type ? await program.checker.getSignaturesOfType(type, kind) : [];
  return signatures.some(({ parameters, declaration }) => {
    return parameters.length === 1 && declaration !== undefined && OF_LANGUAGE.test(declaration.path);
  });
}

async function isPlainList(program: CellProgram, type: Type): Promise<boolean> {
  const [inner] =
    (await program.checker.isArrayType(type)) && type.isTypeReference()
      ? await program.checker.getTypeArguments(type)
      : [];
  const parts = inner ? await partsOf(program, inner) : [];
  return parts.length > 0 && parts.every(({ flags }) => flags & program.typescript.api.TypeFlags.Primitive);
}

async function isBytes(program: CellProgram, type: Type): Promise<boolean> {
  if (await program.checker.isArrayType(type)) {
    const [inner] = type.isTypeReference() ? await program.checker.getTypeArguments(type) : [];
    return inner !== undefined && isOfNames(program, inner, BYTES);
  }
  return isOfNames(program, type, BYTES);
}

async function isOfNames(program: CellProgram, type: Type, names: RegExp): Promise<boolean> {
  const [symbol, alias] = [await type.getSymbol(), await type.getAliasSymbol()];
  const name = symbol?.name ?? (await program.libraryName(type));
  return names.test(name ?? '') || names.test(alias?.name ?? '');
}

/**
 * Whether what is called is of the language's library or of Node's, not of a package.
 *
 * @param isItself Whether it must be of the language.
 */
async function isOfLanguage(program: CellProgram, call: Called, isItself = false): Promise<boolean> {
  const signature = await program.checker.getResolvedSignature(call);
  const path = signature?.declaration?.path;
  return path !== undefined && (OF_LANGUAGE.test(path) || (!isItself && /\/(@types\/node|undici-types)\//.test(path)));
}

/** The declaration, in a cell, of the function that a call is of; `library` if it is elsewhere. */
async function declarationOf(program: CellProgram, call: Node): Promise<Node | 'library' | undefined> {
  const declaration = (await program.checker.getResolvedSignature(call))?.declaration;
  if (!declaration) return undefined;
  return program.isOfCell(declaration) ? declaration.resolve() : 'library';
}

function argumentsOf(program: CellProgram, call: Node): readonly Node[] {
  const { syntax } = program.typescript;
  return syntax.isCallExpression(call) || syntax.isNewExpression(call) ? (call.arguments ?? []) : [];
}

function parametersOf(node: Node): readonly ParameterDeclaration[] {
  return 'parameters' in node ? (node.parameters as readonly ParameterDeclaration[]) : [];
}

/** Whether a class, or what `super` calls, extends in the end what has no type, and so takes any arguments. */
async function hasUnknownBase(program: CellProgram, expression: Node, depth = 0): Promise<boolean> {
  const { syntax, api } = program.typescript;
  const type = await program.typeOf(expression);
  if (!type || type.flags & api.TypeFlags.Any) return true;
  const symbol = await type.getSymbol();
  // A class of a file of the user's, which may extend anything.
  if (symbol && depth > 0 && (await program.isOfLibrary(symbol))) return true;
  for (const each of symbol && depth < 10 ? await program.declarations(symbol) : []) {
    if (!syntax.isClassDeclaration(each) && !syntax.isClassExpression(each)) continue;
    const base = each.heritageClauses?.[0]?.types[0]?.expression;
    if (base && (await hasUnknownBase(program, base, depth + 1))) return true;
  }
  return false;
}

/** Whether an expression is a parameter without a type: what it holds may take any number of arguments. */
async function isUntypedParameter(program: CellProgram, expression: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const symbol = await program.symbolOf(plain(program, expression));
  const declared = symbol ? await program.declarations(symbol) : [];
  return declared.some((each) => syntax.isParameterDeclaration(each) && !each.type);
}

function usesArguments(program: CellProgram, declared: Node): boolean {
  const { syntax } = program.typescript;
  let isUsed = false;
  const visit = (node: Node): void => {
    isUsed ||= syntax.isIdentifier(node) && node.text === 'arguments';
    if (!isUsed) node.forEachChild(visit);
  };
  visit(declared);
  return isUsed;
}
