import type { Node } from 'typescript/unstable/ast';
import type { CellProgram } from './cell-program.js';
import type { Doer } from './evidence.js';
import { plain } from './holders.js';

const DEEPEST = 6;

/** Whether a cell gives a frame a column where it stands, and what an expression names is that frame, or comes from it. */
export async function isGivenColumn(
  program: CellProgram,
  expression: Node,
  name: string,
  doers: readonly Doer[],
): Promise<boolean> {
  let own: Set<Node> | undefined;
  for (const { cell, habits } of doers)
    for (const { start, end } of habits.columns.get(name) ?? []) {
      const target = (await program.nodesAt(start, end, cell)).at(-1);
      own ??= await framesIn(program, expression);
      const given = target && (await framesIn(program, plain(program, target)));
      // A function's frame may be any; of a cell that is not looked at, nobody knows.
      if (!given || given.size === 0 || own.size === 0) return true;
      if ([...given].some((each) => own?.has(each) || program.typescript.syntax.isParameterDeclaration(each)))
        return true;
    }
  return false;
}

/** The variables with frames that an expression names, and those that they come from. */
async function framesIn(program: CellProgram, expression: Node): Promise<Set<Node>> {
  const { syntax } = program.typescript;
  const found = new Set<Node>();
  const named = async (node: Node, depth: number): Promise<void> => {
    const symbol = await program.symbolOf(node);
    for (const each of symbol ? await program.declarations(symbol) : []) {
      const isVariable =
        syntax.isVariableDeclaration(each) || syntax.isBindingElement(each) || syntax.isParameterDeclaration(each);
      if (!isVariable || found.has(each)) continue;
      const type = each.name && (await program.typeOf(each.name));
      const text = type ? await program.checker.typeToString(type) : '';
      if (!/\bDataFrame\b|^any\b/.test(text)) continue;
      found.add(each);
      let outer: Node = each;
      while (syntax.isBindingElement(outer)) outer = outer.parent.parent;
      const statement = outer.parent?.parent;
      const isLoop = statement !== undefined && syntax.isForOfStatement(statement);
      const call = syntax.isParameterDeclaration(outer) ? outer.parent.parent : undefined;
      const isCallback = call !== undefined && syntax.isCallExpression(call);
      const isInitialized = syntax.isVariableDeclaration(outer) && outer.initializer;
      const source = isLoop ? statement.expression : isCallback ? call.expression : isInitialized;
      if (isCallback) found.delete(each);
      if (source) await visit(source, depth + 1);
    }
  };
  const visit = async (node: Node, depth: number): Promise<void> => {
    if (depth > DEEPEST) return;
    const names: Node[] = [];
    const collect = (each: Node): void => {
      if (syntax.isIdentifier(each)) names.push(each);
      each.forEachChild(collect);
    };
    collect(node);
    for (const each of names) await named(each, depth);
  };
  await visit(expression, 0);
  return found;
}
