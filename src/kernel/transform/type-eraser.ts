import type { Class, Node, TSParameterProperty, VariableDeclaration } from 'oxc-parser';
import type { Edits } from './edits.js';

/** Of what V8 of Node 20 does not know, and the transform writes otherwise. */
const NEWER_REGEXP = /^[^/]*v|\(\?(?:[a-z]+-?[a-z]*|-[a-z]+):/;
/** Class members that mean something else to what follows them, once nothing tells them from it. */
const CONTEXTUAL = /^(get|set|static|async|accessor)$/;
/** What ends an expression that stands before it, or is a statement that begins on the next line. */
const END = /[^\S\n]*(?:[;)\]},:]|$|\n\s*(?:$|[;)\]},:]|(?!in\b|instanceof\b)[\w$"']))/y;

const SPACE = /\s*/y;

/**
 * Takes the types out of a cell by leaving out their text, which is far cheaper than a transform and keeps each place
 * where it was. Whatever is not plainly TypeScript without its types is left to the transform.
 */
export class TypeEraser {
  /** False once something came that the transform must see. */
  isPossible = true;
  readonly #source: string;
  readonly #edits: Edits;

  constructor(source: string, edits: Edits) {
    this.#source = source;
    this.#edits = edits;
  }

  /**
   * Takes a node's own types out.
   *
   * @returns Whether there is JavaScript within it.
   */
  visit(node: Node, parent: Node | undefined): boolean {
    if (isTypeOf(parent, node)) return false;
    this.isPossible &&= this.#isPlain(node, parent);
    if (!this.isPossible) return false;
    switch (node.type) {
      case 'TSTypeAnnotation':
      case 'TSTypeParameterInstantiation':
        this.#leaveOut(node.start, node.end);
        return false;
      case 'TSTypeParameterDeclaration':
        this.#leaveOut(node.start, parent?.type === 'ArrowFunctionExpression' ? this.#behindSpace(node.end) : node.end);
        return false;
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
        this.#edits.replace(node.start, node.end, ';');
        return false;
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
        this.#leaveOut(node.expression.end, node.end);
        return true;
      case 'Identifier':
        this.#leaveOutMark(node);
        return true;
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#writeOutProperties(node);
        return true;
      case 'TSParameterProperty':
        this.#edits.replace(node.start, node.parameter.start, '');
        return true;
      default:
        return true;
    }
  }

  /**
   * Puts the semicolon that a statement may lack: what is rewritten behind it may begin with a bracket, or be gone.
   *
   * @param node Any node at the top level of the cell, or in blocks there.
   */
  endStatement(node: Node, parent: Node | undefined): void {
    const isHead =
      parent?.type === 'ForStatement' || parent?.type === 'ForInStatement' || parent?.type === 'ForOfStatement';
    const isStatement =
      node.type === 'ExpressionStatement' ||
      node.type === 'ThrowStatement' ||
      (node.type === 'VariableDeclaration' && !isHead);
    if (isStatement && this.#source[node.end - 1] !== ';') this.#edits.replace(node.end, node.end, ';');
  }

  /** Makes fields of the properties that the constructor's parameters stand for. */
  #writeOutProperties({ body, superClass }: Class): void {
    for (const member of body.body) {
      const maker = member.type === 'MethodDefinition' && member.kind === 'constructor' ? member.value : undefined;
      const properties = maker?.params.filter((each) => each.type === 'TSParameterProperty') ?? [];
      if (!maker?.body || properties.length === 0) continue;
      // Behind the call of super(), wherever that is.
      if (superClass) this.isPossible = false;
      const names = properties.map(nameOf);
      this.#edits.replace(body.start + 1, body.start + 1, names.map((name) => `${name};`).join(''));
      const start = maker.body.start + 1;
      this.#edits.replace(start, start, names.map((name) => `this.${name} = ${name};`).join(''));
    }
  }

  /** Of a parameter that may be left out. */
  #leaveOutMark(parameter: Extract<Node, { type: 'Identifier' }>): void {
    const { start, end, name, typeAnnotation } = parameter;
    // The parser's own types say that none is optional.
    const { optional }: { optional?: boolean } = parameter;
    if (optional) this.#leaveOut(start + name.length, typeAnnotation?.start ?? end);
  }

  /** An arrow function must not begin in the line behind a `return`. */
  #behindSpace(start: number): number {
    SPACE.lastIndex = start;
    SPACE.test(this.#source);
    if (this.#source[SPACE.lastIndex] !== '(') this.isPossible = false;
    return SPACE.lastIndex;
  }

  #leaveOut(start: number, end: number): void {
    const isBeforeWord = /[^\s!-#%-/:-@[-^`{-~]/.test(this.#source.charAt(end));
    this.#edits.replace(start, end, isBeforeWord ? ' ' : '');
  }

  #isPlain(node: Node, parent: Node | undefined): boolean {
    if ('decorators' in node && node.decorators && node.decorators.length > 0) return false;
    switch (node.type) {
      case 'TSTypeAnnotation':
      case 'TSTypeParameterDeclaration':
      case 'TSTypeParameterInstantiation':
      case 'TSNonNullExpression':
      case 'TSParameterProperty':
        return true;
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
        return parent?.type === 'Program' && !node.declare;
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        END.lastIndex = node.end;
        return END.test(this.#source);
      case 'Identifier':
        return node.name !== 'this' && this.#source.startsWith(node.name, node.start);
      case 'VariableDeclaration':
        return isPlainDeclaration(node, parent);
      case 'Literal':
        return !('regex' in node) || !NEWER_REGEXP.test(`${node.regex.flags}/${node.regex.pattern}`);
      default:
        return isPlainMember(node) && isPlainStatement(node) && !node.type.startsWith('TS');
    }
  }
}

/** What a parameter that is a property is called. */
function nameOf({ parameter }: TSParameterProperty): string {
  const named = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
  return named.type === 'Identifier' ? named.name : '';
}

/** Whether a node is the type behind `as`: it goes with that. */
function isTypeOf(parent: Node | undefined, node: Node): boolean {
  const isCast = parent?.type === 'TSAsExpression' || parent?.type === 'TSSatisfiesExpression';
  return isCast && parent.typeAnnotation === node;
}

/** `var` inside of blocks is left to the transform, which knows with what it must not clash. */
function isPlainDeclaration({ kind, declare, declarations }: VariableDeclaration, parent: Node | undefined): boolean {
  if (declare || kind === 'using' || kind === 'await using' || declarations.some(({ definite }) => definite))
    return false;
  return kind !== 'var' || (parent?.type === 'Program' && declarations.every(({ init }) => init !== null));
}

function isPlainMember(node: Node): boolean {
  if (node.type === 'MethodDefinition') return !node.override && !node.optional && !node.accessibility;
  if (node.type !== 'PropertyDefinition') return true;
  const { key, value, declare, override, optional, definite, readonly, accessibility } = node;
  const isContextual = !value && key.type === 'Identifier' && CONTEXTUAL.test(key.name);
  return !isContextual && !declare && !override && !optional && !definite && !readonly && !accessibility;
}

function isPlainStatement(node: Node): boolean {
  switch (node.type) {
    case 'ClassDeclaration':
    case 'ClassExpression':
      return !node.declare && !node.abstract && (node.implements ?? []).length === 0;
    case 'FunctionDeclaration':
      return !node.declare;
    case 'ImportDeclaration':
      return node.importKind !== 'type' && !node.phase && node.specifiers.every((each) => !isTypeImport(each));
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return (
        node.exportKind !== 'type' &&
        !('specifiers' in node && node.specifiers.some((each) => each.exportKind === 'type'))
      );
    default:
      return true;
  }
}

function isTypeImport(specifier: Node): boolean {
  return specifier.type === 'ImportSpecifier' && specifier.importKind === 'type';
}
