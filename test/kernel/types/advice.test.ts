import { expect, it } from 'vitest';
import { withAdvice } from '../../../src/kernel/types/advice.js';

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
