import { DECLARED, LACKS, NOW } from './own-names.js';
import { serverDiagnostics } from './server-diagnostics.js';

/** What a variable may be known not to hold. */
export type Nullish = 'null' | 'undefined';

const NULLISH: Nullish[] = ['null', 'undefined'];
const NOT_SATISFIED = 1360;

/**
 * Lines after a cell's module that ask the checker what the cell leaves in variables: a line is an error if its
 * variable, which may hold null or undefined by its declaration, is known there not to hold it. A variable that holds
 * only these, or nothing because the code before always throws, gives no error.
 */
export function leftInQuestions(names: Set<string>): string {
  if (names.size === 0) return '';
  const lacks = `type ${LACKS}<D, T, N> = [T] extends [null | undefined] ? 0 : N extends T ? 0 : N extends D ? 1 : 0;`;
  // In a function that may be called at any time, a variable has its declared type.
  const now = [...names].map(
    (name) => `const ${NOW}${name} = ${name}; function ${DECLARED}${name}() { return ${name}; }`,
  );
  const questions = questionsFor(names).map(
    ({ name, nullish }) =>
      `0 satisfies ${LACKS}<ReturnType<typeof ${DECLARED}${name}>, typeof ${NOW}${name}, ${nullish}>;`,
  );
  return [lacks, ...now, ...questions].join('\n');
}

/**
 * What a cell's variables are known not to hold after it.
 *
 * @param answer The answer to `textDocument/diagnostic`.
 * @param draft The text of the document, which ends with the questions for these names.
 */
export function leftIn(
  answer: unknown,
  { draft, asked }: { draft: string; asked: Set<string> },
): Map<string, Nullish[]> {
  const questions = questionsFor(asked);
  // Lines as the language server counts them.
  const first = draft.split(/\r\n|\r|\n/).length - questions.length;
  const found = new Map([...asked].map((name): [string, Nullish[]] => [name, []]));
  for (const { code, range } of serverDiagnostics(answer)) {
    const question = code === NOT_SATISFIED ? questions[range.start.line - first] : undefined;
    if (question) found.get(question.name)?.push(question.nullish);
  }
  return found;
}

function questionsFor(names: Set<string>): { name: string; nullish: Nullish }[] {
  return [...names].flatMap((name) => NULLISH.map((nullish) => ({ name, nullish })));
}
