function inTypeScript(names: Record<string, string>): Record<string, string> {
  const hints = Object.entries(names).flatMap(([instead, all]) => all.split(' ').map((name) => [name, instead]));
  return Object.fromEntries(hints.map(([name, instead]) => [name, `In TypeScript: ${instead}.`]));
}

/** Says what does it for a list, beside what 'oddslab' has by that name. */
function ofLists(instead: string, measure: string): string {
  return `Of a list: ${instead}. As a measure for rollup: import { ${measure} } from 'oddslab'`;
}

/** Names of other places that people write into cells, and what is there instead. */
const ELSEWHERE: Record<string, string> = {
  Worker: "Node.js has it in a module: import { Worker } from 'node:worker_threads'",
  Deno: "Cells run in Node.js: Deno.readTextFile is readFile of 'node:fs/promises', Deno.env is process.env.",
  Bun: "Cells run in Node.js: Bun.file is readFile of 'node:fs/promises', Bun.env is process.env.",
  document: 'Cells run in Node.js, which has no page: show HTML by display.html(…).',
  window: 'Cells run in Node.js, which has no window: globalThis has what is global.',
  $$: '$$ is of another kernel: here display(…), display.html(…) and its like show things, and a cell may await.',
  exit: 'A cell ends by itself; restarting the kernel starts anew.',
  quit: 'A cell ends by itself; restarting the kernel starts anew.',
  pip: "Packages come from npm: run npm install in a terminal in the notebook's folder.",
  ...inTypeScript({ null: 'None NULL nil', true: 'True TRUE', false: 'False FALSE' }),
  self: 'In TypeScript: this.',
  not: 'In TypeScript: !x.',
  pass: 'In TypeScript: an empty block, { }.',
};

/** Functions of other places; where such a name is not called, it is that of something else. */
const FUNCTIONS: Record<string, string> = {
  alert: 'Cells run in Node.js: print by console.log(…), ask by await confirm(…).',
  ...inTypeScript({
    'console.log(…)': 'print println',
    'rows.length': 'len',
    'Math.abs(x)': 'abs',
    'Math.round(x), or x.toFixed(2) for a text': 'round',
    'list.some((x) => …)': 'any',
    'list.every((x) => …)': 'all',
    'list.map((x) => …)': 'map',
    'list.filter((x) => …)': 'filter',
    '[...list].reverse()': 'reversed',
    'Boolean(x)': 'bool',
    'new Set(list)': 'set frozenset',
    '[a, b]': 'tuple',
    'typeof x, or x.constructor for the class of an object': 'type',
    "readFileSync('a.txt', 'utf8'), of 'node:fs'": 'open',
    "import assert from 'node:assert'": 'assert',
    "import … from '…'": 'library',
  }),
  sum: ofLists('list.reduce((total, x) => total + x, 0)', 'sum'),
  min: ofLists('Math.min(...list)', 'min'),
  max: ofLists('Math.max(...list)', 'max'),
  range: 'In TypeScript: for (let i = 0; i < 3; i += 1) { … }, or a list by Array.from({ length: 3 }, (_, i) => i).',
  enumerate: 'In TypeScript: for (const [i, row] of rows.entries()) { … }',
  sorted: 'In TypeScript: [...rows].sort((a, b) => a.pnl - b.pnl).',
  zip: 'In TypeScript: xs.map((x, i) => [x, ys[i]]).',
  str: 'In TypeScript: String(x); as a type, string.',
  int: 'In TypeScript: Math.trunc(Number(x)); as a type, number.',
  float: 'In TypeScript: Number(x); as a type, number.',
  dict: 'In TypeScript: { a: 1 }, or new Map(); as a type, Record<string, number>.',
  list: 'In TypeScript: [...rows]; as a type, number[].',
  isinstance: "In TypeScript: x instanceof Date, or typeof x === 'string'.",
};

/**
 * What to write in place of a name that is known elsewhere; undefined for other names.
 *
 * @param code Where the name is that of a function, the text that must call it. Default: none needs to.
 */
export function insteadOfName(name: string, code?: string): string | undefined {
  if (Object.hasOwn(ELSEWHERE, name)) return ELSEWHERE[name];
  if (!Object.hasOwn(FUNCTIONS, name)) return undefined;
  const isCalled = code === undefined || new RegExp(`(?<![\\w$.])${name}\\s*\\(`).test(code);
  return isCalled ? FUNCTIONS[name] : undefined;
}

/** Modules of Python by the names that they usually have, and what does for them. */
const MODULES: Record<string, string> = {
  json: 'In TypeScript: JSON.parse(text) and JSON.stringify(value).',
  math: 'In TypeScript: Math, as in Math.sqrt(x).',
  np: 'In TypeScript: Math for numbers, and map, filter and reduce of lists.',
  pd: "'oddslab' has frames: import { DataFrame, readCsv } from 'oddslab'",
  ...Object.fromEntries(
    ['plt', 'px', 'sns'].map((name) => [
      name,
      "'oddslab' draws charts: import { Chart } from 'oddslab'; new Chart({ data: frame, mark: 'line', encoding: { … } })",
    ]),
  ),
};

/**
 * What to write in place of a function of a module of Python that a cell calls; undefined if it calls none by that name.
 *
 * @example insteadOfModule('json', "json.loads('[1]')"); // 'In TypeScript: JSON.parse(text) and JSON.stringify(value).'
 */
export function insteadOfModule(name: string, code: string): string | undefined {
  if (!Object.hasOwn(MODULES, name)) return undefined;
  return new RegExp(`(?:^|[^\\w$.])${name}(?:\\.[A-Za-z_]\\w*)+\\s*\\(`, 'm').test(code) ? MODULES[name] : undefined;
}

const VERBS: Record<string, string> = {
  'filterRows(frame, (row) => …)': 'filter where',
  "selectColumns(frame, ['name'])": 'select',
  "groupBy(frame, 'name').rollup({ … })": 'groupBy group_by group',
  "groupBy(frame, 'name').rollup({ n: count() })":
    'rollup summarize summarise aggregate agg value_counts valueCounts countBy',
  'withColumns(frame, { name: (row) => … })':
    'derive mutate assign withColumns withColumn with_columns with_column map',
  "sortBy(frame, 'name')": 'orderBy orderby order_by order arrange sort sortBy sort_values sort_by',
  "topN(frame, 10, 'name')": 'topN nlargest top',
  "joinOn(left, right, 'name')": 'join joinOn merge innerJoin leftJoin left_join inner_join join_left',
  'concatRows([first, second])': 'concat union vstack',
  "distinct(frame, 'name')": 'distinct unique dedupe dropDuplicates drop_duplicates',
  'pivot(frame, { … })': 'pivot pivot_table pivotTable',
  'renameColumns(frame, { … })': 'renameColumns rename_columns',
  "dropColumns(frame, ['name'])": 'dropColumns drop_columns',
  'frame.toJSON()': 'objects toObjects toArray to_dict toRecords records iterrows itertuples rows forEach reduce',
  'frame.shape': 'length numRows numCols nrow ncol totalRows',
  'frame.head(…)': 'slice limit take',
};

/** The other verbs of 'oddslab' for frames, by the names that they have in other libraries. */
const VERB_OF = new Map(Object.entries(VERBS).flatMap(([verb, names]) => names.split(' ').map((name) => [name, verb])));

/** What does for one of our frames what a member of that name does for those of other libraries; undefined if nothing. */
export function frameVerb(member: string): string | undefined {
  const verb = VERB_OF.get(member);
  if (verb === undefined) return undefined;
  return verb.startsWith('frame.') ? `A frame has ${verb}.` : `'oddslab' has it as a function: ${verb}`;
}

/** Lines of Python, and what is written in TypeScript in their place. */
const PYTHON: readonly [line: RegExp, typescript: (...parts: string[]) => string][] = [
  [/^\s*(?:import|from)\s+(?:pandas|numpy|polars)\b/m, () => "import { DataFrame } from 'oddslab'"],
  [/^\s*import\s+([\w.]+)(?:\s+as\s+(\w+))?\s*$/m, (name, as) => `import * as ${as ?? lastOf(name)} from '…'`],
  [/^\s*from\s+[\w.]+\s+import\s+([\w, ]+)$/m, (names) => `import { ${names.trim()} } from '…'`],
  [/^\s*(?:async\s+)?def\s+(\w+)\s*\(([^()]*)\)[^:\n]*:/m, (name, given) => `function ${name}(${given}) { … }`],
  [/^\s*for\s+(\w+)\s+in\s+range\(([^(),]+)\)\s*:/m, (i, end) => `for (let ${i} = 0; ${i} < ${end}; ${i} += 1) { … }`],
  [/^\s*for\s+([\w, ]+)\s+in\s+([^{\n]*):/m, (each, all) => `for (const ${patternOf(each)} of ${all}) { … }`],
  [/^\s*(?:elif|else\s+if)\s+[^({\s][^{\n]*:/m, () => 'else if (…) { … }'],
  [/^\s*(if|while)\s+[^({\s][^{\n]*:/m, (word) => `${word} (…) { … }`],
  [/^\s*(?:with|except)\s+[^({\s][^{\n]*:\s*$/m, () => 'try { … } catch (error) { … } finally { … }'],
  [/^\s*(?:try|except|finally):\s*$/m, () => 'try { … } catch (error) { … } finally { … }'],
  [/^\s*else:\s*$/m, () => 'else { … }'],
  [inCode`(?:^|[\s};])elif\s*[\w(]`, () => 'else if (…) { … }'],
  [/^\s*class\s+(\w+)\s*(?:\([\w., ]*\))?\s*:/m, (name) => `class ${name} { … }`],
  [/^\s*print\s+[^\s=(]/m, () => 'console.log(…)'],
  [/^\s*assert\s+[^\s=(.,;)]/m, () => "if (!(…)) throw new Error('…')"],
  [/(?:^|[=(,:])\s*(?:"""|''')/m, () => '/** … */ before a function, or a text of several lines in backquotes'],
  [inCode`[\w)\]]\[[^\]\n:?]*:[^\]\n:?]*:\s*-1\s*\]`, () => '[...list].reverse()'],
  [inCode`[\w)\]]\[\s*([-\w.]*)\s*:\s*([-\w.]*)\s*\]`, (from, to) => `list.slice(${sliceOf(from, to)})`],
  [/^\s*raise\s+\w/m, () => "throw new Error('…')"],
  [/^\s*del\s+\w/m, () => 'delete record.name, or list.splice(at, 1)'],
  [/^\s*(?:global|nonlocal)\s+\w/m, () => 'nothing: a function assigns the names around it by itself'],
  [/[[(][^\]\n]*\sfor\s+\w+(?:,\s*\w+)*\s+in\b/, () => 'rows.map((row) => …)'],
  [/\blambda\s*([\w, ]*):/, (given) => `(${given.trim()}) => …`],
  [/\bf(?:"[^"\n]*"|'[^'\n]*')/, () => ['`$', '{name}`, in backquotes'].join('')],
  [/^\s*#\s/m, () => '// …'],
  [inCode`\bnot\s+in\s+[\w[({]`, () => '!list.includes(x)'],
  [inCode`\bis\s+not\s+[\w[({]`, () => 'x !== null'],
  [inCode`[\w)\]]\s+is\s+[\w[({]`, () => 'x === null'],
  [inCode`[\w)\]]\s+and\s+[\w[({!'"\x60-]`, () => 'a && b'],
  [inCode`[\w)\]]\s+or\s+[\w[({!'"\x60-]`, () => 'a || b'],
  [inCode`(?:^|[=(,:&|!]|\breturn)\s*not\s+[\w[({]`, () => '!a'],
  [inCode`[\w)\]]\s+if\s+[^\n:]+\selse\s+[\w[({]`, () => 'test ? a : b'],
];

/** Matches a part of a line with neither text nor a comment before it. */
function inCode({ raw }: TemplateStringsArray): RegExp {
  return new RegExp(String.raw`^(?:(?!//|/\*)[^'"\x60\n])*?(?:${raw.join('')})`, 'm');
}

/** Lines of other languages, and what is there in their place. */
const OTHERS: readonly [line: RegExp, language: string, instead: string][] = [
  [inCode`%>%|\|>`, 'R', "In TypeScript, each step is a call: sortBy(filterRows(frame, …), 'name')"],
  [/^\s*(?:[\w.]+\s*<-\s*)?function\s*\([\w\s,.=]*\)\s*[\w(]/m, 'R', 'In TypeScript: (x) => …'],
  [/^\s*[\w.]+\s*<-\s/m, 'R', 'In TypeScript: let x = …'],
  [/^\s*using\s+[A-Z]\w*(?:\s*[:,].*)?\s*$/m, 'Julia', "In TypeScript: import … from '…'"],
];

/** A cell of SQL. Of its words some, such as `is not` and `and`, are Python's, too. */
const SQL = /^(?:\s*--.*\n)*\s*(?:select\s[\s\S]*?\sfrom|with\s+\w+\s+as\s*\()\s*\S/i;

/** What a cell that does not parse is in TypeScript if it looks like another language; undefined for other cells. */
export function insteadOfLanguage(code: string): string | undefined {
  if (SQL.test(code)) return 'This looks like SQL. Its first line is to be %%sql.';
  for (const [line, typescript] of PYTHON) {
    const found = line.exec(code);
    if (found) return `This looks like Python. In TypeScript: ${typescript(...found.slice(1))}`;
  }
  const other = OTHERS.find(([line]) => line.test(code));
  return other && `This looks like ${other[1]}. ${other[2]}`;
}

/** What `[from:to]` of Python gives `slice`. */
function sliceOf(from: string, to: string): string {
  return to === '' ? from : `${from === '' ? '0' : from}, ${to}`;
}

/** Methods of Python's lists, texts and dictionaries whose names are none of JavaScript's, and what that has for them. */
const METHODS: Record<string, string> = {
  append: 'list.push(x)',
  extend: 'list.push(...others)',
  items: 'Object.entries(record)',
  strip: 'text.trim()',
  lstrip: 'text.trimStart()',
  rstrip: 'text.trimEnd()',
  upper: 'text.toUpperCase()',
  lower: 'text.toLowerCase()',
  startswith: 'text.startsWith(x)',
  endswith: 'text.endsWith(x)',
  join: "list.join(', ')",
};

/** What TypeScript has for a method that values have in Python; undefined for other names. */
export function insteadOfMethod(member: string): string | undefined {
  return Object.hasOwn(METHODS, member) ? `In TypeScript: ${METHODS[member]}.` : undefined;
}

/** The types of values that have such a method in Python, by what these are called in {@link METHODS}. */
const KINDS: readonly [word: RegExp, type: RegExp][] = [
  [/\blist\./, /\[\]$/],
  [/\btext\./, /^(?:string|".*")$/],
  [/\brecord\b/, /^(?:\{|Record<)/],
];

/** The same for a member that a type of such values lacks. `join` is a method of texts in Python, of lists here. */
export function insteadOfMember(member: string, type: string): string | undefined {
  const instead = member === 'join' ? 'text.' : Object.hasOwn(METHODS, member) ? METHODS[member] : undefined;
  const isOne = KINDS.some(([word, kind]) => word.test(instead ?? '') && kind.test(type));
  return isOne ? insteadOfMethod(member) : undefined;
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function patternOf(names: string): string {
  return names.includes(',') ? `[${names.trim()}]` : names.trim();
}
