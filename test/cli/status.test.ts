import { expect, it } from 'vitest';
import { Status } from '../../src/cli/status.js';

it('shows a line of 80 columns on a terminal that does not know its width', () => {
  let shown = '';
  const stream = { isTTY: true, columns: 0, write: (text: string) => (shown += text) };
  const status = new Status(stream as unknown as NodeJS.WriteStream);
  status.show('about 15 min left');
  expect(shown).toMatch(/about 15 min left$/);
  shown = '';
  status.show('x'.repeat(200));
  expect(shown).toMatch(/[^x]x{79}$/);
});
