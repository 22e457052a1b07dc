import { expect, test } from 'vitest';
import { askReader } from '../../../src/kernel/display/cell-globals.js';
import type { InputRequest } from '../../../src/kernel/wire/runner.js';
import { TestNotebook } from '../run-cells.js';

/** The globals before a reader who types these lines, and what the reader was asked. */
function reader(...typed: string[]) {
  const asked: InputRequest[] = [];
  const globals = askReader(async (request) => {
    asked.push(request);
    return typed.shift() ?? '';
  });
  return { asked, ...globals };
}

test('input gives the line that was typed', async () => {
  const { asked, input } = reader('0xabc', '');
  expect([await input('Wallet: '), await input()]).toEqual(['0xabc', '']);
  expect(asked).toEqual([
    { prompt: 'Wallet: ', isPassword: false },
    { prompt: '', isPassword: false },
  ]);
});

test('prompt gives the fallback for an empty line, and shows it', async () => {
  const { asked, prompt } = reader('', '7', '');
  expect([await prompt('Days?', '30'), await prompt('Days?', '30'), await prompt()]).toEqual(['30', '7', '']);
  expect(asked.map((request) => request.prompt)).toEqual(['Days? [30] ', 'Days? [30] ', '']);
});

test.each([
  [['y'], true],
  [[' YES '], true],
  [[''], false],
  [['no'], false],
  [['perhaps', 'Y'], true],
])('confirm takes %o as %s', async (typed, expected) => {
  const { asked, confirm } = reader(...typed);
  expect(await confirm('Load all?')).toBe(expected);
  const prompts = ['Load all? [y/N] ', 'Please answer y or n. Load all? [y/N] '];
  expect(asked.map(({ prompt }) => prompt)).toEqual(prompts.slice(0, typed.length));
});

test('a password is asked for as one', async () => {
  const { asked, password } = reader('s3cret', '');
  expect([await password(), await password('Key: ')]).toEqual(['s3cret', '']);
  expect(asked).toEqual([
    { prompt: 'Password: ', isPassword: true },
    { prompt: 'Key: ', isPassword: true },
  ]);
});

test('a cell asks its reader, and fails where there is none', async () => {
  const notebook = new TestNotebook();
  try {
    const asked: InputRequest[] = [];
    const outputs: unknown[] = [];
    const onInput = async (request: InputRequest) => {
      asked.push(request);
      return 'Ada';
    };
    await notebook.runner.execute("const name = await input('Name? '); name", {
      onInput,
      onOutput: (event) => outputs.push(event),
    });
    expect(asked).toEqual([{ prompt: 'Name? ', isPassword: false }]);
    expect(outputs).toEqual([{ type: 'result', data: { 'text/plain': "'Ada'" }, metadata: {} }]);
    const { outcome } = await notebook.run('await password()');
    expect(outcome).toMatchObject({ status: 'error', fault: { name: 'InputError' } });
  } finally {
    await notebook.close();
  }
});
