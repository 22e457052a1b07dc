import type { Expression, Node } from 'typescript/unstable/ast';
import type { IndexInfo, Symbol as Named, Type } from 'typescript/unstable/async';
import { appendAll } from '../../base/many.js';
import type { CellProgram } from './cell-program.js';
import { inList, plain, sourceOf, writtenType } from './holders.js';
import { partsOf } from './makers.js';
import { isWritten } from './reads.js';

/** A text, a number, a truth. */
type Plain = string | number | boolean;
/** The values that an expression may have, as the cells write them; undefined if only the run knows them. */
type Written = Plain[] | undefined;
/** Whether cells give objects a member of this name after they are made. */
type IsChanged = (name: string) => boolean;

/** No overload of a function takes what it is given. */
const NO_OVERLOAD = 2769;
/** Objects within objects are followed so far. */
const DEEPEST = 4;

/**
 * Whether what does not fit does so only because TypeScript takes a setting that is kept in a variable, an object or a list
 * for any text: `const o = { by: 'month' }`. One whose values the cells write, none of which fits, does not.
 */
export async function fitsAsKept(
  program: CellProgram,
  code: number,
  nodes: readonly Node[],
  isChanged: IsChanged,
): Promise<boolean> {
  const given = nodes[0] && (await givenAt(program, nodes[0]));
  if (!given || (await isSaidText(program, given.value))) return false;
  if (code === NO_OVERLOAD) return fitsOverload(program, given.value, isChanged);
  const source = await program.typeOf(given.value);
  const kept = new Kept(program, isChanged);
  const wrote = (): Promise<Written> => kept.valuesOf(given.value);
  return Boolean(source && given.wanted && (await kept.fitsInPart(source, given.wanted, wrote)) && kept.isWidened);
}

/** The value that a finding is about, and the type that is asked for in its place. */
async function givenAt(program: CellProgram, at: Node): Promise<{ value: Node; wanted: Type | undefined } | undefined> {
  const { syntax } = program.typescript;
  const { checker } = program;
  const { parent } = at;
  if (syntax.isShorthandPropertyAssignment(at)) {
    const whole = await checker.getContextualType(parent as Expression);
    const certain = whole && (await checker.getNonNullableType(whole));
    const member = certain && (await checker.getPropertyOfType(certain, at.name.getText()));
    return { value: at.name, wanted: member && (await checker.getTypeOfSymbol(member)) };
  }
  const isNamed = (syntax.isVariableDeclaration(parent) || syntax.isPropertyDeclaration(parent)) && parent.name === at;
  if (isNamed && parent.initializer) return { value: parent.initializer, wanted: await program.typeOf(at) };
  if (syntax.isBinaryExpression(parent) && parent.left === at)
    return { value: parent.right, wanted: await program.typeOf(at) };
  const isMember = syntax.isPropertyAssignment(parent) && parent.name === at;
  const value = isMember ? parent.initializer : syntax.isReturnStatement(at) ? at.expression : at;
  return value && { value, wanted: await checker.getContextualType(value as Expression) };
}

/** Whether one of the ways to call a function takes the arguments of the call in which a value stands. */
async function fitsOverload(program: CellProgram, value: Node, isChanged: IsChanged): Promise<boolean> {
  const { syntax, api } = program.typescript;
  let node = value;
  while (node.parent && !syntax.isCallExpression(node.parent) && !syntax.isNewExpression(node.parent))
    node = node.parent;
  const call = node.parent;
  if (!call || (!syntax.isCallExpression(call) && !syntax.isNewExpression(call))) return false;
  const called = await program.typeOf(call.expression);
  const kind = syntax.isCallExpression(call) ? api.SignatureKind.Call : api.SignatureKind.Construct;
  const kept = new Kept(program, isChanged);
  for (const signature of called ? await program.checker.getSignaturesOfType(called, kind) : []) {
    const all = call.arguments ?? [];
    let isFit = all.length <= signature.parameters.length || signature.hasRestParameter;
    for (const [index, each] of all.entries()) {
      if (!isFit) break;
      const source = await program.typeOf(each);
      const wanted = await program.checker.getParameterType(signature, index);
      isFit = Boolean(source && wanted && (await kept.fitsInPart(source, wanted, () => kept.valuesOf(each))));
    }
    if (isFit && kept.isWidened) return true;
  }
  return false;
}

/** Whether an expression is a variable or a member whose type is written, so that it is no guess. */
async function isSaidText(program: CellProgram, value: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const node = plain(program, value);
  const symbol = await variableSymbol(program, syntax.isPropertyAccessExpression(node) ? node.name : node);
  const declared = symbol ? await program.declarations(symbol) : [];
  return declared.some((each) => writtenType(program, each) !== undefined);
}

function variableSymbol(program: CellProgram, node: Node): Promise<Named | undefined> {
  const { syntax } = program.typescript;
  return syntax.isShorthandPropertyAssignment(node.parent)
    ? program.checker.getShorthandAssignmentValueSymbol(node.parent)
    : program.symbolOf(node);
}

/** What values are that cells keep, as far as their texts say it. */
class Kept {
  /** Whether a text, or the like, was met that fits only as one of several. */
  isWidened = false;
  readonly #program: CellProgram;
  readonly #isChanged: IsChanged;

  constructor(program: CellProgram, isChanged: IsChanged) {
    this.#program = program;
    this.#isChanged = isChanged;
  }

  /** Whether values of a type, or of one of those that it is made of, fit another: `[['day', 1], ['hour', 24]]` holds both. */
  async fitsInPart(source: Type, target: Type, wrote: () => Promise<Written>): Promise<boolean> {
    if (await this.#program.checker.isTypeAssignableTo(source, target)) return true;
    for (const part of await partsOf(this.#program, source)) if (await this.fits(part, target, wrote)) return true;
    return false;
  }

  /** Whether values of a type fit another, of which texts are asked that the first says nothing of. */
  async fits(source: Type, target: Type, wrote: () => Promise<Written>, depth = 0): Promise<boolean> {
    const { checker } = this.#program;
    if (await checker.isTypeAssignableTo(source, target)) return true;
    const wanted = await partsOf(this.#program, target);
    const parts = await partsOf(this.#program, source);
    for (const part of parts) if (!(await this.#fitsOne(part, wanted, wrote, depth))) return false;
    return parts.length > 0;
  }

  async #fitsOne(part: Type, wanted: Type[], wrote: () => Promise<Written>, depth: number): Promise<boolean> {
    const { TypeFlags } = this.#program.typescript.api;
    for (const each of wanted) if (await this.#program.checker.isTypeAssignableTo(part, each)) return true;
    const isText = (part.flags & TypeFlags.String) !== 0;
    // Which texts these are, only the run knows.
    const patterns = TypeFlags.Index | TypeFlags.TemplateLiteral | TypeFlags.StringMapping;
    if (isText && wanted.some(({ flags }) => flags & patterns)) {
      this.isWidened = true;
      return true;
    }
    const kinds: [string: number, literal: number][] = [
      [TypeFlags.String, TypeFlags.StringLiteral],
      [TypeFlags.Number, TypeFlags.NumberLiteral],
      [TypeFlags.Boolean, TypeFlags.BooleanLiteral],
    ];
    const literal = kinds.find(([kind]) => part.flags & kind)?.[1];
    if (literal !== undefined) {
      const literals = wanted.filter(({ flags }) => flags & literal && !(flags & TypeFlags.EnumLiteral));
      const values = literals.flatMap((each) => (each.isLiteralType() ? [each.value] : []));
      if (values.length === 0) return false;
      this.isWidened = true;
      const written = (await wrote())?.filter((each) => typeof each === typeof values[0]) ?? [];
      return written.length === 0 || written.some((each) => values.includes(each));
    }
    const isObject = (part.flags & (TypeFlags.Object | TypeFlags.Intersection)) !== 0;
    if (!isObject || depth > DEEPEST) return false;
    for (const each of wanted) if (await this.#fitsObject(part, each, wrote, depth + 1)) return true;
    return false;
  }

  async #fitsObject(source: Type, target: Type, wrote: () => Promise<Written>, depth: number): Promise<boolean> {
    const { checker, typescript } = this.#program;
    const { api } = typescript;
    if (!(target.flags & (api.TypeFlags.Object | api.TypeFlags.Intersection))) return false;
    const isList = await checker.isArrayType(source);
    if (isList !== ((await checker.isArrayType(target)) || target.isTupleType())) return false;
    if (isList) {
      const [inner] = source.isTypeReference() ? await checker.getTypeArguments(source) : [];
      const asked = target.isTypeReference() ? await checker.getTypeArguments(target) : [];
      for (const each of asked) if (!inner || !(await this.fits(inner, each, wrote, depth))) return false;
      return asked.length > 0;
    }
    if ((await checker.getSignaturesOfType(target, api.SignatureKind.Call)).length > 0) return false;
    let shared = 0;
    const byName = (infos: readonly IndexInfo[]) => infos.find(({ keyType }) => keyType.flags & api.TypeFlags.String);
    const asked = byName(await checker.getIndexInfosOfType(target));
    const own = asked && byName(await checker.getIndexInfosOfType(source));
    if (asked && own) {
      if (!(await this.fits(own.valueType, asked.valueType, async () => undefined, depth))) return false;
      shared++;
    }
    for (const each of await checker.getPropertiesOfType(target)) {
      const own = await checker.getPropertyOfType(source, each.name);
      const isOptional = (each.flags & api.SymbolFlags.Optional) !== 0;
      if (!own && !isOptional) return false;
      if (!own) continue;
      shared++;
      const [type, wanted] = [await checker.getTypeOfSymbol(own), await checker.getTypeOfSymbol(each)];
      if (!type || !wanted || !(await this.fits(type, wanted, () => this.#memberValues(own), depth))) return false;
    }
    return shared > 0;
  }

  /** The values that a cell writes for an expression; of a list, those of its elements; none for an object. */
  async valuesOf(expression: Node, depth = 0): Promise<Written> {
    const { syntax } = this.#program.typescript;
    const node = plain(this.#program, expression);
    if (depth > DEEPEST) return undefined;
    if (syntax.isStringLiteral(node) || syntax.isNoSubstitutionTemplateLiteral(node)) return [node.text];
    if (syntax.isNumericLiteral(node)) return [Number(node.text)];
    if (syntax.isObjectLiteralExpression(node)) return [];
    if (syntax.isConditionalExpression(node)) return this.#all([node.whenTrue, node.whenFalse], depth);
    if (syntax.isArrayLiteralExpression(node)) return this.#all(node.elements, depth);
    if (syntax.isPropertyAccessExpression(node)) {
      const symbol = await this.#program.symbolOf(node.name);
      return symbol && this.#memberValues(symbol, depth + 1);
    }
    if (!syntax.isIdentifier(node)) return undefined;
    const symbol = await variableSymbol(this.#program, node);
    const [declared, ...more] = symbol ? await this.#program.declarations(symbol) : [];
    return declared && more.length === 0 ? this.#variableValues(declared, depth + 1) : undefined;
  }

  async #variableValues(declared: Node, depth: number): Promise<Written> {
    const { syntax } = this.#program.typescript;
    if (syntax.isParameterDeclaration(declared)) {
      // The element, which is the first of what methods of lists give functions, but for those that fold a list.
      const { parent } = declared;
      const isFirst = 'parameters' in parent && (parent.parameters as readonly Node[])[0] === declared;
      const list = isFirst ? sourceOf(this.#program, declared) : undefined;
      const isFolded = list !== undefined && /^reduce/.test(memberAfter(this.#program, list));
      return list && !isFolded && (await this.#isList(list)) ? this.valuesOf(list, depth) : undefined;
    }
    if (!syntax.isVariableDeclaration(declared) || !syntax.isIdentifier(declared.name)) return undefined;
    const source = declared.initializer ?? sourceOf(this.#program, declared);
    const own = this.#program.place(declared);
    if (!source || !own) return undefined;
    const uses = await this.#program.usesOf(declared.name.text, own.cell ? [own.cell, undefined] : [undefined]);
    const isFixed = uses?.every((each) => !this.#changes(each)) ?? false;
    return isFixed ? this.valuesOf(source, depth) : undefined;
  }

  /** Whether a use of a variable may give it, or the list that it is, something else. */
  #changes(use: Node): boolean {
    const { syntax } = this.#program.typescript;
    const { parent } = use;
    if (isWritten(this.#program, use)) return true;
    if (syntax.isElementAccessExpression(parent) && parent.expression === use) return isWritten(this.#program, parent);
    return syntax.isPropertyAccessExpression(parent) && /^(push|unshift|splice|fill)$/.test(parent.name.text);
  }

  async #isList(expression: Node): Promise<boolean> {
    const type = await this.#program.typeOf(expression);
    return type !== undefined && this.#program.checker.isArrayType(type);
  }

  async #memberValues(member: Named, depth = 0): Promise<Written> {
    const { syntax } = this.#program.typescript;
    if (this.#isChanged(member.name)) return undefined;
    const declared = await this.#program.declarations(member);
    const made = declared.flatMap(({ parent }) => inList(this.#program, parent));
    const values = made.filter(syntax.isObjectLiteralExpression).flatMap(({ properties }) =>
      properties.flatMap((each): Node[] => {
        const name = 'name' in each ? (each.name as Node) : undefined;
        if (name?.getText() !== member.name) return [];
        return [syntax.isPropertyAssignment(each) ? each.initializer : name];
      }),
    );
    return values.length > 0 ? this.#all(values, depth) : undefined;
  }

  async #all(expressions: readonly Node[], depth: number): Promise<Written> {
    const all: Plain[] = [];
    for (const each of expressions) {
      const written = await this.valuesOf(each, depth + 1);
      if (!written) return undefined;
      appendAll(all, written);
    }
    return all;
  }
}

/** The name of the member that is taken of an expression; empty if none is. */
function memberAfter(program: CellProgram, { parent }: Node): string {
  return program.typescript.syntax.isPropertyAccessExpression(parent) ? parent.name.text : '';
}
