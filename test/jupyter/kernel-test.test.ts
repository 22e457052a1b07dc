import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAbsent } from '../support/is-absent.js';
import { PYTHON_PACKAGES } from './kernel-argv.js';
import { kernelFolder } from './kernel-folder.js';
import { askPython } from './run-python.js';

const TESTS = [
  'test_clear_output',
  'test_completion',
  'test_display_data',
  'test_error',
  'test_execute_result',
  'test_execute_stderr',
  'test_execute_stdout',
  'test_history',
  'test_inspect',
  'test_is_complete',
  'test_kernel_info',
  'test_pager',
];

test.skipIf(isAbsent(join(PYTHON_PACKAGES, 'jupyter_kernel_test'), 'jupyter_kernel_test'))(
  "every test of Jupyter's own suite for kernels passes, none is skipped",
  async () => {
    const { name, folder, env } = await kernelFolder();
    const report = await askPython('kernel-test.py', [name], { env, cwd: folder });
    expect(report).toEqual(TESTS.map((name) => ({ test: name, outcome: 'passed', detail: '' })));
  },
  120_000,
);
