import { COMMANDS, insteadOfCommand, runOf } from '../transform/commands.js';
import {
  frameVerb,
  insteadOfLanguage,
  insteadOfMethod,
  insteadOfModule,
  insteadOfName,
} from '../transform/other-names.js';
import type { CellFault } from '../wire/runner.js';

/**
 * The fault with what helps where a cell is written for another place.
 *
 * @param isFrame Whether a name of the cells holds one of our frames.
 */
export function hinted(fault: CellFault, code: string, isFrame: (name: string) => boolean): CellFault {
  const hint = hintFor(code, fault, isFrame);
  if (hint === undefined) return fault;
  return { ...fault, message: `${fault.message.replace(/\.$/, '')}. ${hint}`, traceback: [...fault.traceback, hint] };
}

const ARGUMENTS = `(?:\\s+[-\\w./~'"*@].*|\\s*$)`;
/** A line that is, or assigns, what a command that is well known tells. */
const SHELL_LINE = new RegExp(`^\\s*(?:[\\w$, ]+=\\s*)?!\\s*((?:${COMMANDS})\\b${ARGUMENTS})`, 'm');
/** A line that is such a command, as in a terminal. */
const TERMINAL_LINE = new RegExp(`^\\s*((?:${COMMANDS})\\b${ARGUMENTS})`);
/** A command of Node's own prompt. */
const PROMPT_COMMAND = /^\s*\.(?:help|exit|break|clear|editor|load|save)\b/;
/** Where a line other than the first begins with a magic. */
const MAGICS =
  'Of lines that begin with %, there are %time, %timeit, %sql and %who, each as a whole cell, and %%time, %%timeit, %%sql and languages in the first line.';
const PROMPT =
  "Cells have no commands of Node's prompt: name? tells what a name is, %who lists the names, and restarting the kernel clears them.";

/** What Python's dictionaries give for a key, or else a given value. */
const GET_OR = /\.get\(\s*[^(),\n]+,\s*[^(),\n]+\)/;
const NO_METHOD = /\.([\p{ID_Continue}$]+) is not a function/u;
const NO_FUNCTION = /^([\p{ID_Continue}$]+)\.([\p{ID_Continue}$]+) is not a function/u;

/** An assignment to `_`, the last value. */
const LAST_VALUE = /(?:^|[^\w$.])_(?:\s*(?:=(?![=>])|\+\+|--|[-+*/]=)|\s*[\],}].*=)/m;
const OWN_UNDERSCORE = '_ is the last value that a cell has shown. To make the name yours, declare it: let _ = …';

/** Functions of the language that came with Node.js 21 and later. */
const NEWER =
  /^(?:(?:Object|Map)\.groupBy|Array\.fromAsync|Promise\.(?:withResolvers|try)|RegExp\.escape|Math\.sumPrecise) is not a function/;

/** Whether a line of a cell begins with a name and what is to follow it, as where one declares it in Python or R. */
function begins(code: string, name: string, follows: RegExp): boolean {
  return code.split('\n').some((line) => line.startsWith(name) && follows.test(line.slice(name.length)));
}

/** A first line that begins a block of code in Markdown. */
const FENCE = /^\s*```[^\n`]*\n/;
const OWN_FENCE = 'This is a block of code as Markdown has it: leave out its lines of ```.';

/** The command that a cell's line is: where it does not parse, the line of the fault; else the one that begins with the missing name. */
function terminalLine(code: string, missing: string, line: number | undefined): string | undefined {
  const lines = code.split('\n');
  if (missing === '') return TERMINAL_LINE.exec(lines[(line ?? 1) - 1] ?? '')?.[1]?.trim();
  const isOne = (each: string): boolean => new RegExp(`^\\s*${missing}(?:\\s+-\\w+)*\\s*$`).test(each);
  const found = new RegExp(`^(?:${COMMANDS})$`).test(missing) ? lines.find(isOne) : undefined;
  return found?.trim();
}

/** `!ls -l data`; not a negation such as `!missing && 1` or `!asked()`. */
const COMMAND_CALL = /^\s*!\s*([a-z][\w.-]*(?:[^\S\n]+[-\w./~"'$*].*)?)[^\S\n]*(?:\n|$)/;

/** What helps where a cell fails because it is written for another place; undefined if nothing is known to. */
function hintFor(
  code: string,
  { name, message, at }: CellFault,
  isFrame: (name: string) => boolean,
): string | undefined {
  if (FENCE.test(code)) return OWN_FENCE;
  const [, missing = ''] = (name === 'ReferenceError' && /^([\w$]+) is not defined/.exec(message)) || [];
  const isFailed = name === 'SyntaxError' || missing !== '';
  const [, command] = (isFailed && (COMMAND_CALL.exec(code) ?? SHELL_LINE.exec(code))) || [];
  if (command !== undefined)
    return /^pip\b/.test(command)
      ? insteadOfName('pip')
      : `Cells run no commands by '!'. Run one by: ${runOf(command.trim())}`;
  const typed = isFailed ? terminalLine(code, missing, at?.line) : undefined;
  if (typed !== undefined) return insteadOfCommand(typed);
  if (name === 'SyntaxError' && PROMPT_COMMAND.test(code)) return PROMPT;
  if (name === 'SyntaxError' && /^[^\S\n]*%{1,2}[a-z]/m.test(code)) return MAGICS;
  const language = name === 'SyntaxError' ? insteadOfLanguage(code) : undefined;
  if (language !== undefined) return language;
  if (missing === 'Deno' && /\bDeno\.jupyter\b/.test(code))
    return 'Here display(value), display.html(…), display.markdown(…) and display.raw(bundle) show things.';
  const other = insteadOfName(missing.startsWith('$$') ? '$$' : missing, code) ?? insteadOfModule(missing, code);
  if (other !== undefined) return other;
  if (missing !== '' && begins(code, missing, /^\s*<-\s/))
    return `This looks like R. In TypeScript: let ${missing} = …`;
  if (missing !== '' && begins(code, missing, /^\s*=(?![=>])/)) return `Declare it: let ${missing} = …`;
  if (name !== 'TypeError') return undefined;
  if (message === 'Assignment to constant variable.' && LAST_VALUE.test(code)) return OWN_UNDERSCORE;
  if (message === 'Assignment to constant variable.')
    return 'Declare it again, as const or as let, which can be assigned.';
  const [, value = '', member = ''] = NO_FUNCTION.exec(message) ?? [];
  const [, method = ''] = NO_METHOD.exec(message) ?? [];
  if (method === 'get' && GET_OR.test(code)) return 'In TypeScript: record.name ?? otherwise.';
  const instead = member !== '' && isFrame(value) ? frameVerb(member) : insteadOfMethod(method);
  if (instead !== undefined) return instead;
  return NEWER.test(message) ? `Newer Node.js has it, not this one (${process.version}).` : undefined;
}
