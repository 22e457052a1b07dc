import { SourceMap } from 'node:module';
import { type Node, type ParseResult, parseSync } from 'oxc-parser';
import { type HelperMode, type OxcError, transformSync } from 'oxc-transform';
import { ASKING_CALL, ownless } from './asking-names.js';
import { mayHaveDecorators, misplacedDecorator } from './decorated-parts.js';
import { Edits, type Rewritten } from './edits.js';
import { jsxOptions, type Lang } from './jsx.js';
import { lowerDecorators } from './lower-decorators.js';
import { lowerNamespaces } from './lower-namespaces.js';
import { NO_PROJECT, type ProjectOptions } from './project-options.js';
import { LineIndex, type Position } from './source-lines.js';
import { walk } from './syntax-tree.js';
import { unawaitedCall } from './unawaited.js';

/** Why a text is not valid TypeScript, and where. */
export interface SyntaxFault {
  message: string;
  position: Position;
}

/** JavaScript made from TypeScript. */
interface Stripped {
  code: string;
  /** The parse of the original. */
  parsed: ParseResult;
  /** Maps a place in `code` to the original; undefined if it has none there. */
  position(position: Position): Position | undefined;
}

const NO_JSX = 'JSX can stand in cells and in files that end in .tsx or .jsx: rename this one';

/**
 * Turns TypeScript into JavaScript that Node 20 runs, or says what is wrong with it. Types are removed; enums,
 * namespaces, parameter properties, decorators and `using` become code that uses the global `babelHelpers`.
 *
 * @param options.keepImports Keeps unused imports: a later cell may use them.
 * @param options.project Gets what the tsconfig.json of the code says; called only where it matters. Default: nothing.
 * @param options.isCommonJs Turns `export =` into `module.exports =`. Default false: into the default export.
 * @param options.parsed The parse of `source`, if it has been parsed.
 * @param options.asking Gets the names of the functions that ask the reader, whose answers must be awaited. Default: none.
 */
export function stripTypes(
  source: string,
  options: {
    filename: string;
    lang: Lang;
    keepImports: boolean;
    parsed?: ParseResult;
    project?: () => ProjectOptions;
    isCommonJs?: boolean;
    asking?: () => readonly string[];
  },
): Stripped | { fault: SyntaxFault } {
  const { filename, lang } = options;
  const parsed = options.parsed ?? parseSync(filename, source, { lang, sourceType: 'module' });
  const [unparsed] = parsed.errors;
  if (unparsed) {
    const jsx = lang === 'ts' || lang === 'js' ? jsxStart(source, lang) : undefined;
    if (jsx !== undefined) return { fault: syntaxFault(source, NO_JSX, jsx) };
    return { fault: syntaxFault(source, unparsed.message, unparsed.labels[0]?.start ?? 0) };
  }
  const asking = options.asking && ASKING_CALL.test(source) ? options.asking() : [];
  const named = ownless(new Map(asking.map((name) => [name, name])), parsed.program);
  const unawaited = named.size > 0 ? unawaitedCall(parsed.program, named) : undefined;
  if (unawaited) return { fault: syntaxFault(source, unawaited.message, unawaited.offset) };
  const lowered = lowerNamespaces(parsed.program, source, options.isCommonJs);
  const text = lowered?.text ?? source;
  const original = (offset: number): number => lowered?.origin(offset) ?? offset;
  const isClosing = parsed.program.body.some((each) => each.type === 'VariableDeclaration' && /using$/.test(each.kind));
  const hasJsx = lang.endsWith('x');
  const project = mayHaveDecorators(source) || hasJsx ? (options.project?.() ?? NO_PROJECT) : NO_PROJECT;
  // The transform misses enums and decorators in the `try` that a top-level `using` becomes, so it runs in two passes.
  const typeless = lower(text, { ...options, target: isClosing ? 'esnext' : 'es2022', project });
  const [refused] = typeless.errors;
  if (refused) return { fault: syntaxFault(source, refused.message, original(refusedAt(text, refused))) };
  const isStandard = mayHaveDecorators(source) && !project.experimentalDecorators;
  const misplaced = isStandard ? misplacedDecorator(parsed.program) : undefined;
  if (misplaced) return { fault: syntaxFault(source, misplaced.message, misplaced.offset) };
  const passes: Pass[] = [typeless];
  if (isStandard) {
    const { program } = parseSync('module.js', typeless.code, { lang: 'js', sourceType: 'module' });
    const decorated = lowerDecorators(program, typeless.code);
    if (decorated) passes.push(rewritingPass(typeless.code, decorated));
  }
  if (isClosing) passes.push(lower(codeOf(passes), { ...options, lang: 'js', target: 'es2022', project: NO_PROJECT }));
  // Only where the text may have an enum, since the code is parsed once more.
  const code = codeOf(passes);
  if (lang.startsWith('ts') && /\benum\b/.test(source)) passes.push(rewritingPass(code, rewriteEnums(code)));
  const position = (written: Position): Position | undefined => {
    const at = passes.reduceRight<Position | undefined>((place, pass) => place && pass.place(place), written);
    return at && lowered ? new LineIndex(source).position(original(new LineIndex(text).offset(at))) : at;
  };
  return { code: codeOf(passes), parsed, position };
}

/** One step from a text to the next. */
interface Pass {
  code: string;
  /** Maps a place in its code to the text before; undefined if it has none there. */
  place(generated: Position): Position | undefined;
}

function codeOf(passes: readonly Pass[]): string {
  return passes.at(-1)?.code ?? '';
}

function rewritingPass(before: string, { text, origin }: Rewritten): Pass {
  const place = (at: Position): Position => new LineIndex(before).position(origin(new LineIndex(text).offset(at)));
  return { code: text, place };
}

interface LowerOptions {
  filename: string;
  lang: Lang;
  keepImports: boolean;
  target: string;
  project: ProjectOptions;
}

/** One pass of the transform, to JavaScript of the given version. */
function lower(
  text: string,
  { filename, lang, keepImports, target, project }: LowerOptions,
): Pass & { errors: OxcError[] } {
  const { code, errors, map } = transformSync(filename, text, {
    lang,
    sourceType: 'module',
    sourcemap: true,
    target,
    typescript: {
      onlyRemoveTypeImports: keepImports,
      removeClassFieldsWithoutInitializer: project.assignsFields,
    },
    assumptions: { setPublicClassFields: project.assignsFields },
    decorator: { legacy: project.experimentalDecorators, emitDecoratorMetadata: project.emitDecoratorMetadata },
    jsx: lang.endsWith('x') ? { ...jsxOptions(text, project), development: false } : 'preserve',
    helpers: { mode: 'External' as HelperMode },
  });
  // Read on first use, since most code never fails.
  let lookup: SourceMap | undefined;
  const place = (generated: Position): Position | undefined => {
    lookup ??= new SourceMap({ ...map, file: filename } as unknown as ConstructorParameters<typeof SourceMap>[0]);
    const entry = lookup.findEntry(generated.line - 1, generated.column - 1);
    if (!('originalLine' in entry)) return undefined;
    const from = { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
    const behind = entry.generatedLine === generated.line - 1 ? generated.column - 1 - entry.generatedColumn : 0;
    const isCopied = hasSame(text, from, code, { ...generated, column: generated.column - behind }, behind);
    return isCopied ? { line: from.line, column: from.column + behind } : from;
  };
  return { code, errors, place };
}

/**
 * Whether both texts are the same for `length` characters and then have a word. The source map knows only where
 * statements begin; a word further on is mapped if the text before it was copied.
 */
function hasSame(a: string, inA: Position, b: string, inB: Position, length: number): boolean {
  const startA = new LineIndex(a).offset(inA);
  const startB = new LineIndex(b).offset(inB);
  const isWord = /^[\p{ID_Start}$_]/u.test(a.slice(startA + length));
  return isWord && a.slice(startA, startA + length + 1) === b.slice(startB, startB + length + 1);
}

function syntaxFault(source: string, message: string, offset: number): SyntaxFault {
  return { message: message.replace(/^TS\(\d+\): /, ''), position: new LineIndex(source).position(offset) };
}

/** The offset of an error. The transform counts in UTF-8 bytes; the last of several places is the one to change. */
function refusedAt(source: string, error: OxcError): number {
  const bytes = error.labels.at(-1)?.start ?? 0;
  return Buffer.from(source).subarray(0, bytes).toString().length;
}

/**
 * Rewrites what the transform makes of an enum's members whose kind it does not know, `E[E["A"] = kind] = "A"` within
 * `function(E) { … return E; }(E || {})`: a text is no key of the enum, as in TypeScript, which knows the values of
 * constants. Each line stays a line.
 */
function rewriteEnums(code: string): Rewritten {
  const edits = new Edits(code);
  walk(parseSync('module.js', code, { sourceType: 'module' }).program, (node) => {
    rewriteEnum(node, edits);
    return true;
  });
  return edits.apply();
}

function rewriteEnum(node: Node, edits: Edits): void {
  if (node.type !== 'CallExpression' || node.callee.type !== 'FunctionExpression') return;
  const { id, params, body } = node.callee;
  const [param] = params;
  if (id || params.length !== 1 || param?.type !== 'Identifier') return;
  for (const statement of body?.body ?? []) {
    if (statement.type === 'ExpressionStatement') rewriteEnumMember(statement.expression, param.name, edits);
  }
}

function rewriteEnumMember(node: Node, name: string, edits: Edits): void {
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return;
  const { object, property: member, start, end } = node.left;
  if (!isNamed(object, name) || member.type !== 'AssignmentExpression' || node.right.type !== 'Literal') return;
  const { left, right } = member;
  if (right.type === 'Literal' || left.type !== 'MemberExpression' || left.property.type !== 'Literal') return;
  if (!isNamed(left.object, name) || left.property.value !== node.right.value) return;
  edits.replace(start, member.start, '(typeof (');
  edits.replace(member.end, end, `) === 'string' ? {} : ${name})[${name}[${left.property.raw}]]`);
}

function isNamed(node: Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

/** The offset of the JSX that keeps a text from parsing; undefined if it is not JSX that does. */
function jsxStart(source: string, lang: 'ts' | 'js'): number | undefined {
  const { program, errors } = parseSync(`jsx.${lang}x`, source, { lang: `${lang}x`, sourceType: 'module' });
  if (errors.length > 0) return undefined;
  let first: number | undefined;
  walk(program, ({ type, start }) => {
    if (type === 'JSXElement' || type === 'JSXFragment') first ??= start;
    return first === undefined;
  });
  return first;
}
