import { COMMANDS, insteadOfCommand } from './commands.js';

/** What a cell's first line says that is no TypeScript: `%%sql daily`, or `#!sql` as in Polyglot Notebooks. */
interface Opening {
  /** In lower case. */
  language: string;
  /** What follows it on its line. */
  rest: string;
  /** The lines below. */
  body: string;
}

const OPENING = /^(?:[^\S\n]*\n)*(?:%%|#!)([A-Za-z][\w#+-]*)[^\S\n]*([^\n]*)(?:\n([\s\S]*))?$/;
const LINE = /^\s*%(?!%)(\w+)[^\S\n]*([^\n]*?)\s*$/;
/** `?name`, `name?`, also of a member, and nothing else. */
const HELP =
  /^\s*(?:\?{1,2}\s*([\p{ID_Start}$_][\p{ID_Continue}$.]*)|([\p{ID_Start}$_][\p{ID_Continue}$.]*)\s*\?{1,2})\s*$/u;

/** Languages that run here as they are. */
const OWN = new Set([
  'typescript',
  'javascript',
  'ts',
  'js',
  'typescriptreact',
  'javascriptreact',
  'tsx',
  'jsx',
  'deno',
  'node',
]);
/** Whether a language, as notebooks and editors name it, runs here as it is. */
export function isOwnLanguage(language: string): boolean {
  return OWN.has(language.toLowerCase());
}

/** How a text of a language is shown. */
const SHOWN: Record<string, string> = {
  html: 'html',
  markdown: 'markdown',
  md: 'markdown',
  latex: 'latex',
  svg: 'html',
};

/**
 * A cell's text with its language before it, `%%sql`, where VS Code or Polyglot Notebooks noted another for the cell than
 * runs here, and it names none itself.
 *
 * @param metadata The cell's.
 */
export function inNotedLanguage(source: string, metadata: unknown): string {
  const { vscode, polyglot_notebook, dotnet_interactive } = Object(metadata);
  const noted = [vscode?.languageId, polyglot_notebook?.kernelName, dotnet_interactive?.language];
  const language = noted.find((each) => typeof each === 'string' && /^[\w#+-]+$/.test(each));
  if (typeof language !== 'string' || isOwnLanguage(language) || openingOf(source)) return source;
  return `%%${language.toLowerCase()}\n${source}`;
}

/** The name of which a cell asks for help: `?rows` or `rows?`; undefined for any other cell. */
export function helpName(text: string): string | undefined {
  const [, before, after] = HELP.exec(text) ?? [];
  return before ?? after;
}

const LINE_MAGICS = ['sql', 'time', 'timeit', 'who'];
const CELL_MAGICS = ['html', 'latex', 'markdown', 'sql', 'svg', 'time', 'timeit'];
const BEGUN = /^\s*(%{1,2})(\w*)$/;

/** The magics that a cell may go on with where it has begun one, each from its `%` on; undefined where it has not. */
export function magicsFor(begun: string): string[] | undefined {
  const [, signs, name = ''] = BEGUN.exec(begun) ?? [];
  if (signs === undefined) return undefined;
  const all = signs === '%%' || name !== '' ? [] : CELL_MAGICS.map((each) => `%%${each}`);
  const own = (signs === '%%' ? CELL_MAGICS : LINE_MAGICS).map((each) => signs + each);
  return [...own, ...all].filter((each) => each.startsWith(signs + name));
}

/** Whether a cell wants to know how long it takes: `%%time` before it, or `%time` before its one line. */
export function isTimed(text: string): boolean {
  const language = openingOf(text)?.language ?? '';
  if (OWN.has(language)) return isTimed(withoutOpening(text));
  return language === 'time' || LINE.exec(text)?.[1] === 'time';
}

/**
 * A cell's text as TypeScript, which everything that reads cells reads: itself, unless its first line begins with `%`
 * or `?`, or names another language. Lines that are TypeScript stay where they are. Below `%%time` and the names of
 * TypeScript, another first line may follow; what is a cell's text as TypeScript stays as it is.
 *
 * @example plainCell('%%html\n<b>1</b>') // 'display.html("<b>1</b>")'
 */
export function plainCell(text: string): string {
  // Nearly all cells are TypeScript.
  if (!/^\s*[%#?]/.test(text) && !text.trimEnd().endsWith('?')) return text;
  const opening = openingOf(text);
  if (opening) return withOpening(text, opening);
  const [, magic, rest = ''] = LINE.exec(text) ?? [];
  if (magic !== undefined) return withMagic(text, magic, rest);
  return helpName(text) ?? text;
}

function openingOf(text: string): Opening | undefined {
  // Nearly all cells begin otherwise.
  if (!/^\s*(%%|#!)/.test(text)) return undefined;
  const [, language = '', rest = '', body = ''] = OPENING.exec(text) ?? [];
  return language === '' ? undefined : { language: language.toLowerCase(), rest, body };
}

function withOpening(text: string, { language, rest, body }: Opening): string {
  if (language === 'time' || OWN.has(language)) return plainCell(withoutOpening(text));
  const { length } = text.slice(0, text.length - body.length).split('\n');
  if (language === 'timeit' && rest !== '') return refused(`%%timeit ${NO_OPTIONS}`);
  if (language === 'timeit') return `await __oddslab__.timeit(async () => {${'\n'.repeat(length - 1)}${body}\n});`;
  const how = SHOWN[language];
  if (how !== undefined) return `display.${how}(${JSON.stringify(body)});`;
  if (language === 'sql') return sqlCell(rest.trim(), body);
  // A `#!` line for a shell.
  if (language === 'usr' || rest.startsWith('/')) return text;
  return refused(`Cells in ${language} do not run here. ${OTHERWISE[language] ?? GENERALLY}`);
}

const NO_OPTIONS = 'has no options: what is to be measured follows it, and how often that runs is found out.';
const GENERALLY =
  'Cells hold TypeScript or JavaScript; %%sql, %%html, %%markdown, %%latex, %%svg, %%time and %%timeit may stand before them.';
const SHELL =
  "Run commands from a cell: import { execSync } from 'node:child_process'; execSync('ls', { encoding: 'utf8' })";
const OTHERWISE: Record<string, string> = {
  ...Object.fromEntries(
    ['bash', 'sh', 'shell', 'shellscript', 'zsh', 'pwsh', 'powershell', 'cmd', 'script'].map((each) => [each, SHELL]),
  ),
  ...Object.fromEntries(
    ['writefile', 'file'].map((each) => [
      each,
      "Write a file: import { writeFileSync } from 'node:fs'; writeFileSync('name', text)",
    ]),
  ),
};

/** The text with its first line blanked out, so that every place stays. */
function withoutOpening(text: string): string {
  return text.replace(/^(\s*)(\S[^\n]*)/, (_, space: string, line: string) => space + ' '.repeat(line.length));
}

/** Names as SQL writes them; reserved words of JavaScript can name no frame. */
const SQL_SKIPPED = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g;
const RESERVED =
  /^(break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|let|new|null|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|await|eval|arguments)$/;

/** What a query reads from, but for what it defines itself. */
const SQL_TABLE = /\b(?:from|join)\s+([\p{ID_Start}_][\p{ID_Continue}$]*)/giu;

/**
 * A query over the frames that the session's variables hold, by the names that the query mentions, in this case or in
 * lower case, since SQL does not tell them apart; `%%sql name` keeps the result as a constant. An array that it reads
 * from is given, too, so that the error says what to make of it.
 */
function sqlCell(name: string, sql: string): string {
  const plain = sql.replace(SQL_SKIPPED, ' ');
  const words = plain.match(/[\p{ID_Start}_][\p{ID_Continue}$]*/gu) ?? [];
  const tables = Array.from(plain.matchAll(SQL_TABLE), ([, table = '']) => table);
  const names = [...new Set(words)].filter((each) => !RESERVED.test(each));
  const heldBy = (each: string, otherwise = 'undefined') => `typeof ${each} === 'undefined' ? ${otherwise} : ${each}`;
  const all = names.map((each) => {
    const lower = each.toLowerCase();
    const isOther = names.includes(lower) || RESERVED.test(lower) || !tables.includes(each);
    return `${each}: ${heldBy(each, isOther ? 'undefined' : heldBy(lower))}`;
  });
  const isOwn = (each: string) => new RegExp(`\\b${each.replaceAll('$', '\\$')}\\s+as\\s*\\(`, 'i').test(plain);
  const read = tables.filter((each) => !isOwn(each));
  const frames = `__oddslab__.tables(Object.fromEntries(Object.entries({ ${all.join(', ')} } as any).filter(([name, frame]) => Array.isArray((frame as any)?.columns) || (Array.isArray(frame) && ${JSON.stringify(read)}.includes(name))))) as any`;
  const result = `await (await import('oddslab')).query(${JSON.stringify(sql.trim())}, ${frames})`;
  if (name === '') return result;
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) || RESERVED.test(name))
    return refused(`%%sql takes the name of a constant, not '${name}'.`);
  return `const ${name} = ${result}; ${name}`;
}

function withMagic(text: string, magic: string, rest: string): string {
  if (magic === 'time' && rest !== '') return plainCell(text.replace(/%time/, '     '));
  if (magic === 'time') return refused('%time stands before an expression on its line, %%time before a cell.');
  if (magic === 'timeit' && (rest === '' || /^-[a-z]\s*\d/.test(rest))) return refused(`%timeit ${NO_OPTIONS}`);
  if (magic === 'timeit')
    return `await __oddslab__.timeit(${/\bawait\b/.test(rest) ? 'async ' : ''}() => (${rest.replace(/;$/, '')}));`;
  if (magic === 'sql')
    return rest === ''
      ? refused('%sql stands before a query on its line, %%sql before one of several lines.')
      : sqlCell('', rest);
  if (/^whos?$/.test(magic)) return '__oddslab__.who();';
  return refused(`There is no %${magic} here. ${insteadOfMagic(magic, rest)}`);
}

const COMMAND = new RegExp(`^(?:${COMMANDS})$`);

function insteadOfMagic(magic: string, rest: string): string {
  if (COMMAND.test(magic)) return insteadOfCommand(`${magic} ${rest}`.trim());
  if (/^(?:sx|system|bash|sh)$/.test(magic)) return rest === '' ? SHELL : insteadOfCommand(rest);
  // The value may be a key, which no error repeats.
  const [name = 'NAME'] = /^\w+/.exec(rest) ?? [];
  if (/^(?:set_)?env$/.test(magic)) return `Variables of the environment: process.env.${name} = 'value'`;
  return `%time, %timeit, %sql and %who are. ${GENERALLY}`;
}

function refused(message: string): string {
  return `throw new Error(${JSON.stringify(message)});`;
}
