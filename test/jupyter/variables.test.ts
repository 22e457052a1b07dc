import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAbsent } from '../support/is-absent.js';
import { PYTHON_PACKAGES } from './kernel-argv.js';
import { kernelFolder } from './kernel-folder.js';
import { askPython } from './run-python.js';

const response = { status: 'ok', type: 'response', seq: 0, request_seq: 3 };

test.skipIf(isAbsent(join(PYTHON_PACKAGES, 'jupyter_client'), "variables by jupyter_client's control channel"))(
  'the variables are told to a client of the Debug Adapter Protocol, by a kernel without a debugger',
  { timeout: 120_000 },
  async () => {
    const { name, folder, env } = await kernelFolder({ env: { ODDSLAB_TYPES: 'off' } });
    expect(await askPython('variables-test.py', [name], { env, cwd: folder })).toEqual({
      debugger: false,
      before: { ...response, command: 'inspectVariables', success: true, body: { variables: [] } },
      variables: [
        ['rows', 'Array', 'Array(2) [Object {…}, Object {…}]'],
        ['deep', 'Object', '{ a: Object {…} }'],
        ['label', 'string', '"x"'],
      ],
      parts: [
        {
          name: 'a',
          value: '{ b: 1 }',
          type: 'Object',
          evaluateName: 'a',
          variablesReference: expect.any(Number),
          presentationHint: { kind: 'data', attributes: [] },
        },
      ],
      picture: { data: { 'text/plain': '{ a: { b: 1 } }' }, metadata: {} },
      refused: {
        ...response,
        command: 'setBreakpoints',
        success: false,
        message: expect.stringContaining('This kernel has no debugger.'),
      },
      table: {
        status: 'ok',
        columns: [{ name: 'pnl', type: 'number' }],
        rows: [['-1'], ['3']],
        whole: [['-1'], ['3']],
        positions: [1, 0],
        total: 2,
        matched: 2,
      },
      words: ['{ a: (getter), toString: function, toHTML: function }', 'Proxy', '{…}'],
      texts: ['{ a: (getter), toString: trap(), toHTML: trap() }', 'Proxy', '{…}'].map((text) => ({
        'text/plain': text,
      })),
      ran: ['0'],
      'while a cell computes': true,
    });
  },
);
