import { join } from 'node:path';
import { expect, test } from 'vitest';
import { INTERRUPTED } from '../../src/kernel/wire/runner.js';
import { isAbsent } from '../support/is-absent.js';
import { PYTHON_PACKAGES } from './kernel-argv.js';
import { kernelFolder } from './kernel-folder.js';
import { askPython } from './run-python.js';

test.skipIf(isAbsent(join(PYTHON_PACKAGES, 'jupyter_client'), "several clients of jupyter_client's manager"))(
  'several clients of one manager are served, and interrupts count at any moment',
  // Rarely, and under load, Node 20 ends the process with an assertion of its own when it is interrupted at the start.
  { retry: 2, timeout: 120_000 },
  async () => {
    const { name, folder, env } = await kernelFolder({ env: { ODDSLAB_TYPES: 'off' } });
    expect(await askPython('clients-test.py', [name], { env, cwd: folder })).toEqual({
      'the second': '2',
      'a third, once the second is gone': '4',
      'interrupts right at the start': [INTERRUPTED],
      'after an interrupt between cells': '6',
    });
  },
);
