import type { AccessorProperty, Class, MethodDefinition, Node, Program, PropertyDefinition } from 'oxc-parser';
import { opensFunction, walk } from './syntax-tree.js';

/** A place at which decorators cannot stand, and why. */
interface MisplacedDecorator {
  message: string;
  offset: number;
}

/** Whether a text may have decorators or `accessor`; far cheaper than looking into its syntax tree. */
export function mayHaveDecorators(source: string): boolean {
  return /@|\baccessor\b/.test(source);
}

/** The first decorator of a program that only the older kind could be, or that cannot be rewritten. */
export function misplacedDecorator(program: Program): MisplacedDecorator | undefined {
  let found: MisplacedDecorator | undefined;
  walk(program, (node) => {
    found ??= misplacedIn(node) ?? (isClass(node) && needsLowering(node) ? yieldedIn(node) : undefined);
    return !found;
  });
  return found;
}

export function isClass(node: Node): node is Class {
  return node.type === 'ClassDeclaration' || node.type === 'ClassExpression';
}

/** A member that may be decorated. */
export type Member = MethodDefinition | PropertyDefinition | AccessorProperty;

export function isMember(node: Node): node is Member {
  return node.type === 'MethodDefinition' || node.type === 'PropertyDefinition' || node.type === 'AccessorProperty';
}

export function isLowered(node: Node): node is Member {
  return isMember(node) && (node.decorators.length > 0 || node.type === 'AccessorProperty');
}

export function needsLowering({ decorators, body }: Class): boolean {
  return decorators.length > 0 || body.body.some(isLowered);
}

/** Parameters, and constructors, can have decorators of the older kind only. */
function misplacedIn(node: Node): MisplacedDecorator | undefined {
  if (node.type === 'MethodDefinition' && node.kind === 'constructor') {
    const [first] = node.decorators;
    if (first) return { message: 'A constructor cannot be decorated: decorate the class', offset: first.start };
  }
  const params = 'params' in node && Array.isArray(node.params) ? (node.params as Node[]) : [];
  for (const param of params) {
    const [first] = 'decorators' in param && Array.isArray(param.decorators) ? (param.decorators as Node[]) : [];
    if (first) return { message: OF_PARAMETER, offset: first.start };
  }
  return undefined;
}

const OF_PARAMETER =
  'Standard decorators cannot stand before parameters; the older ones can: say "experimentalDecorators": true under ' +
  '"compilerOptions" of a tsconfig.json beside the notebook';

const YIELDED = 'yield cannot stand in the decorators, the extends clause or the names of a decorated class';

function yieldedIn(node: Class): MisplacedDecorator | undefined {
  const found = outerParts(node).flatMap((part) => within(part, 'YieldExpression'))[0];
  return found && { message: YIELDED, offset: found.start };
}

/** The parts of a class that belong to the code around it. */
export function outerParts({ decorators, superClass, body }: Class): Node[] {
  const members = body.body.filter(isMember);
  const names = members.filter(({ computed }) => computed).map(({ key }) => key);
  return [...decorators, ...members.flatMap((each) => each.decorators), ...names, ...(superClass ? [superClass] : [])];
}

/** The nodes of a type within a part, but not in the functions in it. */
export function within(part: Node, type: Node['type']): Node[] {
  const found: Node[] = [];
  walk(part, (node) => {
    if (node.type === type) found.push(node);
    return !opensFunction(node);
  });
  return found;
}
