import { expect, it } from 'vitest';
import { besideFault, severityOf, withAdvice } from '../../../src/kernel/types/advice.js';
import type { Diagnostic } from '../../../src/kernel/types/type-service.js';

it('asks in the first line, once, and only what is a question', () => {
  const related = ["Did you forget to use 'await'?", "'a' is declared here.", "Did you forget to use 'await'?"];
  expect(withAdvice({ code: 2322, message: 'Not assignable.\n  Because.' }, related)).toEqual({
    code: 2322,
    message: "Not assignable. Did you forget to use 'await'?\n  Because.",
  });
});

it('ends a list of properties before it asks', () => {
  const message = "Type 'Promise<T>' is missing the following properties from type 'Tabular': columns, shape";
  const question = "Did you forget to use 'await'?";
  expect(withAdvice({ code: 2739, message }, [question])).toEqual({ code: 2739, message: `${message}. ${question}` });
  expect(withAdvice({ code: 2739, message }, [])).toEqual({ code: 2739, message });
});

it('asks nothing that the message asks already', () => {
  const message = "Cannot find name 'prize'. Did you mean 'price'?";
  expect(withAdvice({ code: 2552, message }, ["Did you mean 'price'?"])).toEqual({ code: 2552, message });
});

it('leaves out what concerns the settings of projects', () => {
  const library = "Do you need to change your target library? Try changing the 'lib' compiler option to include 'dom'.";
  expect(withAdvice({ code: 2812, message: `Property 'x' does not exist on type 'Y'. ${library}` }, [])).toEqual({
    code: 2812,
    message: "Property 'x' does not exist on type 'Y'.",
  });
});

it('says where the types of a package without can be declared', () => {
  const message = "Invalid module name in augmentation, module 'p' cannot be found.";
  expect(withAdvice({ code: 2664, message }, [])).toEqual({
    code: 2664,
    message: `${message} To say what types it has, put this into a file beside the notebook, such as packages.d.ts.`,
  });
});

it('says which decorators cells have', () => {
  const message = 'Unable to resolve signature of class decorator when called as an expression.';
  expect(withAdvice({ code: 1238, message: `${message}\n  Because.` }, [])).toEqual({
    code: 1238,
    message: `${message} Cells have standard decorators, unless a tsconfig.json beside the notebook says experimentalDecorators.\n  Because.`,
  });
});

it.each([
  ['filter', "'oddslab' has it as a function: filterRows(frame, (row) => …)"],
  ['orderBy', "'oddslab' has it as a function: sortBy(frame, 'name')"],
  ['objects', 'A frame has frame.toJSON().'],
])('says what does for a frame what %s does elsewhere', (member, verb) => {
  const message = `Property '${member}' does not exist on type 'DataFrame<PnlRecord>'.`;
  expect(withAdvice({ code: 2339, message }, [])).toEqual({ code: 2339, message: `${message} ${verb}` });
  const other = `Property '${member}' does not exist on type 'Row'.`;
  expect(withAdvice({ code: 2339, message: other }, [])).toEqual({ code: 2339, message: other });
});

it('says what is written in TypeScript for names of Python', () => {
  const message = "Cannot find name 'print'.";
  expect(withAdvice({ code: 2304, message }, [])).toEqual({
    code: 2304,
    message: `${message} In TypeScript: console.log(…).`,
  });
});

it.each([
  ["Property 'append' does not exist on type 'number[]'.", 'In TypeScript: list.push(x).'],
  ["Property 'upper' does not exist on type 'string'. Did you mean 'big'?", 'In TypeScript: text.toUpperCase().'],
  ["Property 'join' does not exist on type '\", \"'.", "In TypeScript: list.join(', ')."],
  ["Property 'items' does not exist on type '{ a: number; }'.", 'In TypeScript: Object.entries(record).'],
  ["Cannot find name 'int'. Did you mean 'Intl'?", 'In TypeScript: Math.trunc(Number(x)); as a type, number.'],
  [
    "Cannot find name 'sum'.",
    "Of a list: list.reduce((total, x) => total + x, 0). As a measure for rollup: import { sum } from 'oddslab'",
  ],
])('says what the run would of %s', (message, instead) => {
  expect(withAdvice({ code: 2339, message }, [])).toEqual({ code: 2339, message: `${message} ${instead}` });
});

it.each([
  "Property 'append' does not exist on type 'Ledger'.",
  "Property 'items' does not exist on type 'Page'.",
  "Property 'upper' does not exist on type 'string[]'.",
  "Property 'join' does not exist on type 'Set<string>'.",
])('says nothing of Python where the type is another: %s', (message) => {
  expect(withAdvice({ code: 2339, message }, []).message).toBe(message);
});

it('holds no missing package against a cell: the run says what to do', () => {
  const none = (specifier: string): string =>
    `Cannot find module or type declarations for side-effect import of '${specifier}'.`;
  expect(severityOf(2882, none('lib/nope'))).toBe('warning');
  expect(severityOf(2882, none('./nope'))).toBe('error');
  const at = { line: 1, column: 8 };
  const found: Diagnostic = { severity: 'warning', code: 2882, message: none('lib/nope'), start: at, end: at };
  const fault = { name: 'InputError', message: "Cannot find 'lib/nope'. Did you mean './lib/nope'?", traceback: [] };
  expect(besideFault([found], fault).rest).toEqual([]);
});

it('says once that what is called is no function', () => {
  const at = (line: number, code: number, message: string): Diagnostic => ({
    severity: 'error',
    code,
    message,
    start: { line, column: 1 },
    end: { line, column: 2 },
  });
  const same = at(2, 2339, "Property 'filter' does not exist on type 'DataFrame<PnlRecord>'.");
  const near = at(2, 2551, "Property 'filter' does not exist on type 'Row'. Did you mean 'filters'?");
  const calls = at(2, 2349, 'This expression is not callable.');
  const others = [at(3, 2339, same.message), at(2, 2339, "Property 'map' does not exist on type 'Row'.")];
  const message = 'tt.filter is not a function';
  const fault = { name: 'TypeError', message, traceback: [], at: { line: 2 } };
  expect(besideFault([same, calls, ...others], fault)).toEqual({ rest: others, meant: undefined });
  expect(besideFault([near], fault)).toEqual({ rest: [], meant: "Did you mean 'filters'?" });
  expect(besideFault([same], { ...fault, name: 'RangeError' })).toEqual({ rest: [same], meant: undefined });
});
