import type { ArrowFunctionExpression, Function as FunctionNode, Node } from 'oxc-parser';
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

  visit(node: Node | null | undefined, context: Context = {}): void {
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
      case 'ClassExpression': {
        const decorators = node.decorators.map(({ expression }) => expression);
        this.#within(node.id ? [node.id.name] : [], [...decorators, node.superClass, node.body]);
        break;
      }
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
        else if (!this.#visitNames(node)) this.#visitScope(node);
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
      this.#within([...lexicalNames(body), ...varNames(node)], body);
    } else if ('expression' in node && typeof node.expression === 'object') this.visit(node.expression);
  }

  /** Visits what is inside a node, in a scope of its own if it opens one. */
  #visitScope(node: Node): void {
    switch (node.type) {
      case 'ForInStatement':
      case 'ForOfStatement':
        this.#within(lexicalNames([node.left]), [
          node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left,
          node.right,
          node.body,
        ]);
        break;
      case 'SwitchStatement':
        this.visit(node.discriminant);
        this.#within(lexicalNames(node.cases.flatMap(({ consequent }) => consequent)), node.cases.flatMap(childrenOf));
        break;
      default:
        this.#within(declaredInside(node), childrenOf(node));
    }
  }

  /** Visits the body in a scope of its own: default values of parameters do not see what it declares. */
  #visitFunction(node: FunctionNode | ArrowFunctionExpression): void {
    const own = node.type === 'FunctionExpression' && node.id ? [node.id.name] : [];
    const names = [...own, ...node.params.flatMap((each) => [...namesOf(each)])];
    this.#within(names, node.params);
    this.#within([...names, ...(node.body?.type === 'BlockStatement' ? varNames(node.body) : [])], [node.body]);
  }

  #within(names: string[], nodes: readonly (Node | null | undefined)[]): void {
    this.#scopes.push(names);
    for (const node of nodes) this.visit(node);
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

/** The names that a block, a loop's head or a `catch` declares for what is inside it. */
function declaredInside(node: Node): string[] {
  if (node.type === 'BlockStatement') return lexicalNames(node.body);
  if (node.type === 'StaticBlock') return [...lexicalNames(node.body), ...varNames(node)];
  if (node.type === 'ForStatement') return node.init ? lexicalNames([node.init]) : [];
  return node.type === 'CatchClause' && node.param ? [...namesOf(node.param)] : [];
}

/** The function or class, if it takes the name of what it is assigned to. */
export function nameless(value: Node | null): Node | undefined {
  if (wrapsExpression(value)) return nameless(value.expression);
  if (value?.type === 'ArrowFunctionExpression') return value;
  const isNameless = value?.type === 'FunctionExpression' || value?.type === 'ClassExpression';
  return isNameless && !value.id ? value : undefined;
}
