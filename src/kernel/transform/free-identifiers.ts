import type { ArrowFunctionExpression, Class, Function as FunctionNode, Node } from 'oxc-parser';
import { childrenOf, lexicalNames, namesOf, varNames, wrapsExpression } from './syntax-tree.js';

/** A use of a name that is global to the program: declared at its top level or not at all. */
export interface FreeIdentifier {
  name: string;
  start: number;
  end: number;
  /** Whether it also names a property: `{ name }`. */
  isShorthand: boolean;
  /** Whether it is called: `name()`. */
  isCallee: boolean;
  /** The member read from it: `now` in `performance.now`. */
  member: string | undefined;
  /** An anonymous function or class that takes this name: the right side of `name = () => {}`. */
  anonymous: Node | undefined;
}

/**
 * Finds where a program uses the given names in their global meaning. Types do not count, nor do the names in function
 * and class declarations, imports and export lists, nor `var`s without a value outside of loops.
 */
export function freeIdentifiers(program: { body: readonly Node[] }, names: ReadonlySet<string>): FreeIdentifier[] {
  const resolver = new Resolver(names);
  for (const statement of program.body) resolver.visit(statement);
  return resolver.found;
}

type Context = Partial<Pick<FreeIdentifier, 'isShorthand' | 'isCallee' | 'member' | 'anonymous'>>;

class Resolver {
  readonly found: FreeIdentifier[] = [];
  readonly #wanted: ReadonlySet<string>;
  readonly #scopes: string[][] = [];

  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted;
  }

  visit(node: Node | null, context: Context = {}): void {
    if (!node) return;
    switch (node.type) {
      case 'Identifier':
        this.#use(node, context);
        break;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.#visitFunction(node);
        break;
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#visitClass(node);
        break;
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) {
          if (init || node.kind !== 'var') this.visit(id, { anonymous: nameless(init) });
          this.visit(init);
        }
        break;
      case 'AssignmentExpression':
      case 'AssignmentPattern':
        this.visit(node.left, { ...context, anonymous: nameless(node.right) });
        this.visit(node.right);
        break;
      default:
        if (node.type.startsWith('TS')) this.#visitTypeScript(node);
        else if (!this.#visitNames(node) && !this.#visitScope(node)) this.#visitInside(node);
    }
  }

  /** Visits a node whose identifiers may not all be uses of names; false for any other node. */
  #visitNames(node: Node): boolean {
    switch (node.type) {
      case 'MemberExpression':
        this.visit(node.object, {
          member: node.computed || !('name' in node.property) ? undefined : node.property.name,
        });
        if (node.computed) this.visit(node.property);
        return true;
      case 'Property':
        if (node.computed) this.visit(node.key);
        this.visit(node.value, { isShorthand: node.shorthand });
        return true;
      case 'MethodDefinition':
      case 'PropertyDefinition':
        if (node.computed) this.visit(node.key);
        this.visit(node.value);
        return true;
      case 'CallExpression':
        this.visit(node.callee, { isCallee: true });
        for (const argument of node.arguments) this.visit(argument);
        return true;
      case 'LabeledStatement':
        this.visit(node.body);
        return true;
      case 'ExportNamedDeclaration':
        this.visit(node.declaration);
        return true;
      default:
        return /^(BreakStatement|ContinueStatement|MetaProperty|ImportDeclaration|ExportAllDeclaration)$/.test(
          node.type,
        );
    }
  }

  /** Visits the parts of a TypeScript node that exist at run time; skips types. */
  #visitTypeScript(node: Node): void {
    if (node.type === 'TSParameterProperty') this.visit(node.parameter);
    else if (node.type === 'TSEnumDeclaration') {
      for (const { initializer } of node.body.members) this.visit(initializer);
    } else if (node.type === 'TSModuleDeclaration') {
      if (node.body?.type !== 'TSModuleBlock') return;
      const { body } = node.body;
      this.#within([...lexicalNames(body), ...varNames(node)], () => {
        for (const statement of body) this.visit(statement);
      });
    } else if ('expression' in node && typeof node.expression === 'object') this.visit(node.expression);
  }

  /** Visits a node that opens a scope; false for any other node. */
  #visitScope(node: Node): boolean {
    switch (node.type) {
      case 'BlockStatement':
        this.#within(lexicalNames(node.body), () => this.#visitInside(node));
        return true;
      case 'StaticBlock':
        this.#within([...lexicalNames(node.body), ...varNames(node)], () => this.#visitInside(node));
        return true;
      case 'ForStatement':
        this.#within(node.init ? lexicalNames([node.init]) : [], () => this.#visitInside(node));
        return true;
      case 'ForInStatement':
      case 'ForOfStatement':
        this.#within(lexicalNames([node.left]), () => {
          this.visit(node.left.type === 'VariableDeclaration' ? (node.left.declarations[0]?.id ?? null) : node.left);
          this.visit(node.right);
          this.visit(node.body);
        });
        return true;
      case 'SwitchStatement':
        this.visit(node.discriminant);
        this.#within(lexicalNames(node.cases.flatMap(({ consequent }) => consequent)), () => {
          for (const each of node.cases) this.#visitInside(each);
        });
        return true;
      case 'CatchClause':
        this.#within(node.param ? [...namesOf(node.param)] : [], () => this.#visitInside(node));
        return true;
      default:
        return false;
    }
  }

  /** Visits the body in a scope of its own: default values of parameters do not see what it declares. */
  #visitFunction(node: FunctionNode | ArrowFunctionExpression): void {
    const own = node.type === 'FunctionExpression' && node.id ? [node.id.name] : [];
    const parameters = node.params.flatMap((each) => [...namesOf(each)]);
    this.#within([...own, ...parameters], () => {
      for (const parameter of node.params) this.visit(parameter);
      const { body } = node;
      if (body?.type !== 'BlockStatement') this.visit(body);
      else this.#within(varNames(body), () => this.visit(body));
    });
  }

  #visitClass(node: Class): void {
    this.#within(node.id ? [node.id.name] : [], () => {
      for (const decorator of node.decorators) this.visit(decorator.expression);
      this.visit(node.superClass);
      this.visit(node.body);
    });
  }

  #visitInside(node: Node): void {
    for (const child of childrenOf(node)) this.visit(child);
  }

  #within(names: string[], visit: () => void): void {
    this.#scopes.push(names);
    visit();
    this.#scopes.pop();
  }

  #use({ name, start }: { name: string; start: number }, context: Context): void {
    if (!this.#wanted.has(name) || this.#scopes.some((names) => names.includes(name))) return;
    this.found.push({
      name,
      start,
      // The parser includes a parameter's type in its range.
      end: start + name.length,
      isShorthand: false,
      isCallee: false,
      member: undefined,
      anonymous: undefined,
      ...context,
    });
  }
}

/** The function or class, if it takes the name of what it is assigned to. */
export function nameless(value: Node | null): Node | undefined {
  if (wrapsExpression(value)) return nameless(value.expression);
  if (value?.type === 'ArrowFunctionExpression') return value;
  const isNameless = value?.type === 'FunctionExpression' || value?.type === 'ClassExpression';
  return isNameless && !value.id ? value : undefined;
}
