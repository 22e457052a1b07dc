import type { Class, Node, TSParameterProperty } from 'oxc-parser';
import type { Edits } from './edits.js';

/** Regular expressions that V8 of Node 20 does not support, so that the transform must rewrite them. */
const NEWER_REGEXP = /^[^/]*v|\(\?(?:[a-z]+-?[a-z]*|-[a-z]+):/;
/** Names of class members that would change the meaning of the next member once nothing separates the two. */
const CONTEXTUAL = /^(get|set|static|async|accessor)$/;
/** What may follow a cast for its removal to be safe: the end of the expression, or a statement on the next line. */
const END = /[^\S\n]*(?:[;)\]},:]|$|\n\s*(?:$|[;)\]},:]|(?!in\b|instanceof\b)[\w$"']))/y;

const SPACE = /\s*/y;

/**
 * Removes a cell's types by cutting their text, which is far cheaper than the transform and keeps the text that
 * remains. Leaves everything that is not plainly JavaScript plus types to the transform.
 */
export class TypeEraser {
  /** False once something was found that needs the transform. */
  isPossible = true;
  readonly #source: string;
  readonly #edits: Edits;

  constructor(source: string, edits: Edits) {
    this.#source = source;
    this.#edits = edits;
  }

  /** Removes a node's own types; returns whether there is JavaScript inside it. */
  visit(node: Node, parent: Node | undefined): boolean {
    if (!this.isPossible || isTypeOf(parent, node)) return false;
    this.isPossible = !('decorators' in node && node.decorators && node.decorators.length > 0);
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
        this.isPossible &&= parent?.type === 'Program' && !node.declare;
        this.#edits.replace(node.start, node.end, ';');
        return false;
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        END.lastIndex = node.end;
        this.isPossible &&= END.test(this.#source);
        this.#leaveOut(node.expression.end, node.end);
        return true;
      case 'TSNonNullExpression':
        this.#leaveOut(node.expression.end, node.end);
        return true;
      case 'TSParameterProperty':
        this.#edits.replace(node.start, node.parameter.start, '');
        return true;
      case 'Identifier':
        this.isPossible &&= node.name !== 'this' && this.#source.startsWith(node.name, node.start);
        this.#leaveOutMark(node);
        return true;
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#writeOutProperties(node);
    }
    this.isPossible &&= isPlain(node, parent);
    return this.isPossible;
  }

  /** Adds the semicolon that a statement may lack: rewritten code after it may begin with a bracket or be gone. */
  endStatement(node: Node, parent: Node | undefined): void {
    const isHead =
      parent?.type === 'ForStatement' || parent?.type === 'ForInStatement' || parent?.type === 'ForOfStatement';
    const isStatement =
      node.type === 'ExpressionStatement' ||
      node.type === 'ThrowStatement' ||
      (node.type === 'VariableDeclaration' && !isHead);
    if (isStatement && this.#source[node.end - 1] !== ';') this.#edits.replace(node.end, node.end, ';');
  }

  /** Writes out parameter properties as fields that the constructor assigns. */
  #writeOutProperties({ body, superClass }: Class): void {
    for (const member of body.body) {
      const maker = member.type === 'MethodDefinition' && member.kind === 'constructor' ? member.value : undefined;
      const properties = maker?.params.filter((each) => each.type === 'TSParameterProperty') ?? [];
      if (!maker?.body || properties.length === 0) continue;
      // The assignments would have to follow the call of super(), wherever that is.
      if (superClass) this.isPossible = false;
      const names = properties.map(nameOf);
      this.#edits.replace(body.start + 1, body.start + 1, names.map((name) => `${name};`).join(''));
      const start = maker.body.start + 1;
      this.#edits.replace(start, start, names.map((name) => `this.${name} = ${name};`).join(''));
    }
  }

  /** Removes the `?` of an optional parameter. */
  #leaveOutMark(parameter: Extract<Node, { type: 'Identifier' }>): void {
    const { start, end, name, typeAnnotation } = parameter;
    // The parser's types omit this field.
    const { optional }: { optional?: boolean } = parameter;
    if (optional) this.#leaveOut(start + name.length, typeAnnotation?.start ?? end);
  }

  /** The offset after the space, since an arrow function must not begin on the line after a `return`. */
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
}

/** The name of a parameter property. */
function nameOf({ parameter }: TSParameterProperty): string {
  const named = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
  return named.type === 'Identifier' ? named.name : '';
}

/** Whether a node is the type of a cast, which is removed with the cast. */
function isTypeOf(parent: Node | undefined, node: Node): boolean {
  const isCast = parent?.type === 'TSAsExpression' || parent?.type === 'TSSatisfiesExpression';
  return isCast && parent.typeAnnotation === node;
}

const MODIFIERS = ['declare', 'abstract', 'override', 'definite', 'readonly', 'accessibility'];

/** Whether a node, apart from those inside it, is JavaScript that V8 of Node 20 takes. */
function isPlain(node: Node, parent: Node | undefined): boolean {
  if (node.type.startsWith('TS') || MODIFIERS.some((name) => Reflect.get(node, name))) return false;
  switch (node.type) {
    case 'VariableDeclaration':
      if (node.kind !== 'var') return !/using$/.test(node.kind);
      // `var` inside blocks is left to the transform, which knows the names to avoid.
      return parent?.type === 'Program' && node.declarations.every(({ init }) => init !== null);
    case 'Literal':
      return !('regex' in node) || !NEWER_REGEXP.test(`${node.regex.flags}/${node.regex.pattern}`);
    case 'ClassDeclaration':
    case 'ClassExpression':
      return (node.implements ?? []).length === 0;
    case 'MethodDefinition':
      return !node.optional;
    case 'AccessorProperty':
      return false;
    case 'PropertyDefinition':
      return (
        !node.optional && (node.value !== null || node.key.type !== 'Identifier' || !CONTEXTUAL.test(node.key.name))
      );
    case 'ImportDeclaration':
      return node.importKind !== 'type' && !node.phase && node.specifiers.every((each) => !isTypeOnly(each));
    case 'ExportNamedDeclaration':
      return node.exportKind !== 'type' && node.specifiers.every((each) => !isTypeOnly(each));
    case 'ExportAllDeclaration':
      return node.exportKind !== 'type';
    default:
      return true;
  }
}

function isTypeOnly(specifier: Node): boolean {
  return (
    (specifier.type === 'ImportSpecifier' && specifier.importKind === 'type') ||
    (specifier.type === 'ExportSpecifier' && specifier.exportKind === 'type')
  );
}
