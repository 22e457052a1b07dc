import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from '../../src/base/texts.js';
import fc from '../support/fast-check.js';

it.each<[string, NodeJS.Platform, string]>([
  ['data/of-2026', 'linux', 'data/of-2026'],
  ['my data dir', 'linux', "'my data dir'"],
  ["it's", 'darwin', String.raw`'it'\''s'`],
  ['', 'linux', "''"],
  ['a\\b', 'linux', "'a\\b'"],
  ['C:\\lab\\data', 'win32', 'C:\\lab\\data'],
  ['C:\\my data', 'win32', '"C:\\my data"'],
])('%j on %s is %s', (text, platform, word) => {
  expect(shellWord(text, platform)).toBe(word);
});

it.skipIf(process.platform === 'win32')('is read back by the shell, whatever is in it', () => {
  const word = fc.string({ unit: fc.constantFrom(...'a \'"$`\\*~#;&|<>()!\n-') });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 50 }), (words) => {
      const script = `for word in ${words.map((text) => shellWord(text, 'linux')).join(' ')}; do printf '%s\\0' "$word"; done`;
      expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(
        words.map((text) => `${text}\0`).join(''),
      );
    }),
    { numRuns: 20 },
  );
});
