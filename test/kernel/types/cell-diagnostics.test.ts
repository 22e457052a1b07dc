import { expect, it } from 'vitest';
import { diagnosticsText } from '../../../src/kernel/types/cell-diagnostics.js';
import { withoutDiagnostics } from '../../../src/notebook/check/shown-parts.js';

const place = { start: { line: 2, column: 7 }, end: { line: 2, column: 8 } };

it('says where, what and shows the lines around', () => {
  const found = [
    { severity: 'error' as const, code: 2322, message: 'Not assignable.\n  Because.', ...place },
    { severity: 'hint' as const, code: 6133, message: 'Unused.', ...place },
    {
      severity: 'warning' as const,
      code: 7,
      message: 'Beyond.',
      start: { line: 9, column: 1 },
      end: { line: 9, column: 1 },
    },
  ];
  expect(diagnosticsText(found, 'a();\nconst b: number = "";', 'cell 3')).toBe(
    `cell 3:2:7 - error TS2322: Not assignable.
  Because.

  1 | a();
> 2 | const b: number = "";
    |       ^

cell 3:9:1 - warning TS7: Beyond.
`,
  );
});

it('is empty where nothing is wrong', () => {
  expect(diagnosticsText([], 'a', 'cell 1')).toBe('');
});

it('tells as many of a cell as one may read, and how many more there are, which a comparison leaves out', () => {
  const found = Array.from({ length: 111_110 }, (_, i) => {
    return { severity: 'error' as const, code: 2451, message: `fault ${i}`, ...place };
  });
  const text = diagnosticsText(found, 'let a;\n'.repeat(111_111), 'cell 1');
  expect(text.match(/fault \d+/g)).toEqual(Array.from({ length: 100 }, (_, i) => `fault ${i}`));
  expect(text).toMatch(/\n… and 111010 more in cell 1\.\n$/);
  expect(diagnosticsText(found.slice(0, 100), 'let a;', 'cell 1')).not.toContain('more');
  expect(withoutDiagnostics(`before\n${text}behind`)).toBe('before\nbehind');
});
