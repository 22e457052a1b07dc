import type { Expression, Node } from 'typescript/unstable/ast';
import type { Amendment } from './amendments.js';
import { isOfList, losesThis } from './callbacks.js';
import type { CellProgram } from './cell-program.js';
import { symbolIn } from './doers.js';
import {
  ALWAYS_DEFINED,
  ARITHMETIC,
  BY_KEY,
  COUNT,
  type Finding,
  NO_BASE,
  NO_MEMBER,
  NO_NAME,
  NO_OVERLAP,
  NOT_ASSIGNABLE,
  NULLISH,
  OTHER_CLASS,
  OTHER_MEMBER,
  OTHER_THIS,
  OTHER_TYPE,
} from './finding.js';
import { isGivenColumn } from './frame-columns.js';
import { plain } from './holders.js';
import { fitsAsKept } from './kept-settings.js';
import { callOf, convertsArgument, takesAnyNumber } from './lenient-calls.js';
import { readonlyMember } from './library-members.js';
import { partsOf } from './makers.js';
import { keyedMember, missingMember, type Told } from './missing-members.js';
import { areOtherOptions } from './needed-parameters.js';
import { madeForAny } from './open-calls.js';
import { comparison, isConverted } from './operands.js';
import { asBase, baseOfAnything, declaredAgain, otherBase, otherOverride, otherValue } from './other-values.js';
import { becomesKey, mayBeKey, mayBeList, mayBeText, NO_KEY, NO_LIST, NO_TEXT, symbolMember } from './several-kinds.js';
import { columnIn, fitsPerhaps, isOfOtherType, isSure } from './strictness.js';

/**
 * What becomes of a finding: it is told; it is told if it is found once more where null is a value of every type; nothing
 * is said; or what makes the value it is about is amended, and the cell looked at again.
 */
export type Verdict = 'told' | 'doubted' | 'silent' | Amendment[];

/** What the verdicts on a cell's findings go by, besides what the checker knows. */
export interface Grounds extends Told {
  /** Variables that functions of the cell assign, so that nobody knows what they hold. */
  assignedByFunctions: ReadonlySet<string>;
  /** Whether a name that nothing declares is known to be there when the cell runs. */
  isKnownName: (finding: Finding) => boolean;
  /** Whether cells give objects a member of this name after they are made. */
  isChanged: (name: string) => boolean;
  /** Whether a condition asks for a part of the language. */
  isOfLanguage: (finding: Finding) => boolean;
}

/** The verdict on a finding that may be an error, by whose types it is about. */
export async function verdictOn(program: CellProgram, finding: Finding, grounds: Grounds): Promise<Verdict> {
  const { code, start, end } = finding;
  const nodes = await program.nodesAt(start, end);
  const verdict = await verdictOnNodes(program, finding, nodes, grounds);
  const isSaid = verdict === 'told' || verdict === 'doubted';
  if (!isSaid || !(NO_MEMBER.has(code) || NOT_ASSIGNABLE.has(code))) return verdict;
  return (await madeForAny(program, nodes)) ?? verdict;
}

async function verdictOnNodes(
  program: CellProgram,
  finding: Finding,
  nodes: readonly Node[],
  grounds: Grounds,
): Promise<Verdict> {
  const { code, message } = finding;
  if (finding.isSuspected)
    return (await (code === OTHER_THIS ? losesThis : isOfList)(program, nodes)) ? 'told' : 'silent';
  if (NULLISH.has(code)) return (await isNothing(program, nodes, grounds)) ? 'told' : 'silent';
  if (NO_MEMBER.has(code)) return missingMember(program, finding, nodes, grounds);
  if (code === BY_KEY) return keyedMember(program, finding, nodes, grounds);
  if (code === NO_KEYS) return keyedMember(program, finding, nodes, grounds);
  if (NO_NAME.has(code)) return ofName(program, finding, nodes, grounds);
  if (code === OTHER_CLASS) return (await givesAnything(program, nodes)) ? 'silent' : 'told';
  const symbol = NOT_ASSIGNABLE.has(code) || NO_LIST.has(code) ? symbolIn(message) : undefined;
  const given = symbol === undefined ? [] : await symbolMember(program, nodes, symbol, grounds);
  if (given.length > 0) return given;
  if (NOT_ASSIGNABLE.has(code)) {
    const name = columnIn(message);
    const [at] = name === undefined ? [] : nodes;
    if (name !== undefined && at && (await isGivenColumn(program, at.parent, name, grounds.doers))) return 'silent';
    const verdict = await otherValue(program, nodes);
    if (verdict === 'silent' && (await areOtherOptions(program, finding, nodes))) return 'told';
    if (verdict !== 'doubted') return verdict;
    const isFit = fitsPerhaps(finding) || (await fitsInPart(program, nodes));
    if (isFit && !(await isSaid(program, nodes))) return 'silent';
    if (await fitsAsKept(program, code, nodes, grounds.isChanged)) return 'silent';
    if (await convertsArgument(program, finding, nodes)) return 'silent';
    return isOfOtherType(finding) ? 'told' : 'doubted';
  }
  if (code === READONLY_KEY) return readonlyMember(program, nodes);
  if (code === NO_SPREAD) return (await isUnknown(program, nodes)) ? 'silent' : 'doubted';
  if (NO_KEY.has(code)) {
    const isKey = (await becomesKey(program, nodes)) || (await mayBeKey(program, nodes));
    return isKey && !(await isSaid(program, nodes)) ? 'silent' : 'doubted';
  }
  if (NO_LIST.has(code))
    return (await mayBeList(program, nodes)) && !(await isSaid(program, nodes)) ? 'silent' : 'doubted';
  if (NO_TEXT.has(code))
    return (await mayBeText(program, nodes)) && !(await isSaid(program, nodes)) ? 'silent' : 'doubted';
  if (code === OTHER_TYPE) return declaredAgain(program, nodes);
  if (code === NO_BASE) return otherBase(program, nodes);
  if (code === OTHER_MEMBER) return otherOverride(program, nodes);
  if (COUNT.has(code)) {
    if (await takesAnyNumber(program, finding, nodes, grounds.isChanged)) return 'silent';
    const called = callOf(program, nodes, true)?.expression;
    return called ? amendedOr(await baseOfAnything(program, called)) : 'doubted';
  }
  if (code === NO_TYPED_BASE) {
    const base = nodes.find(({ parent }) => program.typescript.syntax.isExpressionWithTypeArguments(parent));
    return base ? amendedOr(await baseOfAnything(program, base)) : 'doubted';
  }
  if (NO_OVERLAP.has(code)) return comparison(program, nodes);
  if (ARITHMETIC.has(code)) return (await isConverted(program, finding, nodes)) ? 'silent' : 'doubted';
  if (code === ALWAYS_DEFINED)
    return (await isOfCell(program, nodes)) || !grounds.isOfLanguage(finding) ? 'told' : 'silent';
  return isSure(finding) ? 'told' : 'doubted';
}

/** A pattern takes what it takes by a key that only the run knows. */
const NO_KEYS = 2537;

/** Whether a decorator says nothing of what it is passed: it may give any class for it. */
async function givesAnything(program: CellProgram, nodes: readonly Node[]): Promise<boolean> {
  const { syntax, api } = program.typescript;
  const decorator = nodes.map(({ parent }) => parent).find((node) => syntax.isDecorator(node));
  const type = decorator && syntax.isDecorator(decorator) ? await program.typeOf(decorator.expression) : undefined;
  for (const { declaration } of type ? await program.checker.getSignaturesOfType(type, api.SignatureKind.Call) : []) {
    const node = declaration && program.isOfCell(declaration) ? await declaration.resolve() : undefined;
    const [first] = node && 'parameters' in node ? (node.parameters as readonly Node[]) : [];
    const given = first && (await program.typeOf(first));
    if (given && given.flags & api.TypeFlags.Any) return true;
  }
  return false;
}

/** What a class extends says what it holds, and has no constructor that leaves it open: `extends Promise`. */
const NO_TYPED_BASE = 2508;

function amendedOr(amendments: Amendment[]): Verdict {
  return amendments.length > 0 ? amendments : 'doubted';
}

/** A name that nothing declares: what a class extends that is known to be there has any members. */
async function ofName(
  program: CellProgram,
  finding: Finding,
  nodes: readonly Node[],
  grounds: Grounds,
): Promise<Verdict> {
  if (!grounds.isKnownName(finding)) return 'told';
  const { syntax } = program.typescript;
  const base = nodes.find((node) => syntax.isIdentifier(node) && syntax.isExpressionWithTypeArguments(node.parent));
  return base ? asBase(program, base) : 'silent';
}

/** Whether a variable is certainly null or undefined, and no function may have given it something else. */
async function isNothing(
  program: CellProgram,
  nodes: readonly Node[],
  { assignedByFunctions }: Grounds,
): Promise<boolean> {
  const { syntax } = program.typescript;
  const variable = nodes.find((node) => syntax.isIdentifier(node));
  if (!variable || !syntax.isIdentifier(variable) || assignedByFunctions.has(variable.text)) return false;
  const { parent } = variable;
  const isObject = syntax.isPropertyAccessExpression(parent) || syntax.isElementAccessExpression(parent);
  if (!isObject || parent.expression !== variable) return false;
  const type = await program.typeOf(variable);
  return type !== undefined && (await partsOf(program, type)).length === 0;
}

/** A member of an object whose members by any name may only be read. */
const READONLY_KEY = 2542;
/** A spread of what is no object. */
const NO_SPREAD = 2698;

async function isUnknown(program: CellProgram, nodes: readonly Node[]): Promise<boolean> {
  const { syntax, api } = program.typescript;
  const spread = nodes.find((node) => syntax.isSpreadAssignment(node));
  const type = spread && syntax.isSpreadAssignment(spread) ? await program.typeOf(spread.expression) : undefined;
  return type !== undefined && (type.flags & api.TypeFlags.AnyOrUnknown) !== 0;
}

/** Whether one of the types that an argument, or what an arrow gives, may have fits. */
async function fitsInPart(program: CellProgram, nodes: readonly Node[]): Promise<boolean> {
  const { checker } = program;
  const { syntax } = program.typescript;
  const [node] = nodes;
  if (!node) return false;
  const { parent } = node;
  const isGiven = syntax.isCallExpression(parent) && parent.expression !== node;
  if (!isGiven && !(syntax.isArrowFunction(parent) && parent.body === node)) return false;
  const [type, wanted] = [await program.typeOf(node), await checker.getContextualType(node as Expression)];
  const parts = type && wanted ? await partsOf(program, type) : [];
  if (!wanted || parts.length < 2) return false;
  const fits = await Promise.all(parts.map((each) => checker.isTypeAssignableTo(each, wanted)));
  return fits.some(Boolean);
}

/** Whether the type of an expression is written, so that it is no guess. */
async function isSaid(program: CellProgram, nodes: readonly Node[]): Promise<boolean> {
  const { syntax } = program.typescript;
  const [node] = nodes;
  const inner = node && plain(program, node);
  const name = inner && syntax.isPropertyAccessExpression(inner) ? inner.name : inner;
  const symbol = name && syntax.isIdentifier(name) ? await program.symbolOf(name) : undefined;
  const declared = symbol ? await program.declarations(symbol) : [];
  const isVariable = (each: Node): boolean => syntax.isVariableDeclaration(each) && each.name === node;
  return declared.some((each) => 'type' in each && each.type !== undefined && !isVariable(each));
}

async function isOfCell(program: CellProgram, nodes: readonly Node[]): Promise<boolean> {
  const { syntax } = program.typescript;
  for (const node of nodes) {
    const symbol = await program.symbolOf(syntax.isPropertyAccessExpression(node) ? node.name : node);
    if (symbol && (await program.declarations(symbol)).length > 0) return true;
  }
  return false;
}
