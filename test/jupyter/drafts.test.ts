import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAbsent } from '../support/is-absent.js';
import { PYTHON_PACKAGES } from './kernel-argv.js';
import { kernelFolder } from './kernel-folder.js';
import { askPython } from './run-python.js';

test.skipIf(isAbsent(join(PYTHON_PACKAGES, 'jupyter_client'), 'questions about drafts by jupyter_client'))(
  'a client of any language may ask what a cell would be warned of and what is being called',
  async () => {
    const { name, folder, env } = await kernelFolder({ env: { ODDSLAB_TYPES: 'warn' } });
    const states = ['busy', 'idle'];
    expect(await askPython('drafts-test.py', [name], { env, cwd: folder })).toEqual({
      'diagnostics on shell': {
        type: 'diagnostics_reply',
        states,
        content: {
          status: 'ok',
          diagnostics: [
            {
              from: 11,
              to: 12,
              severity: 'error',
              code: 2322,
              message: "Type 'string' is not assignable to type 'number'.",
            },
          ],
        },
      },
      'the call on control': {
        type: 'signature_reply',
        states,
        content: {
          status: 'ok',
          found: true,
          active: 0,
          parameter: 0,
          signatures: [
            {
              label: 'at(index: number): string | undefined',
              documentation: expect.stringContaining('single UTF-16 code unit'),
              parameters: [{ from: 3, to: 16, documentation: expect.stringContaining('zero-based index') }],
            },
          ],
        },
      },
    });
  },
  120_000,
);
