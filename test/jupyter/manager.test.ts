import { join } from 'node:path';
import { expect, test } from 'vitest';
import { INTERRUPTED } from '../../src/kernel/wire/runner.js';
import { isAbsent } from '../support/is-absent.js';
import { PYTHON_PACKAGES } from './kernel-argv.js';
import { kernelFolder } from './kernel-folder.js';
import { askPython } from './run-python.js';

test.skipIf(isAbsent(join(PYTHON_PACKAGES, 'jupyter_client'), "jupyter_client's manager"))(
  "jupyter_client's manager interrupts, restarts and ends the kernel, and gets large messages",
  async () => {
    const { name, folder, env } = await kernelFolder({ env: { ODDSLAB_TYPES: 'off' } });
    expect(await askPython('manager-test.py', [name], { env, cwd: folder })).toEqual({
      'beats while a cell loops': true,
      interrupted: ['error', INTERRUPTED],
      'state after the interrupt': "'kept'",
      'large display': ['ok', 50_000_000],
      'large text': ['ok', 100_000_001],
      'large code': ['ok', "'long code'"],
      'another process after the restart': true,
      'the first is gone': true,
      'state after the restart': 'ReferenceError',
      'runs after the restart': '2',
      'runs after a forced restart': '4',
      'runs at once after restarts': ['6', '6', '6', '6'],
      'is alive after the shutdown': false,
    });
  },
  180_000,
);
