import { expect, it } from 'vitest';
import { WALKS } from '../scripts/follow-walk.js';

/** How many source files a reader has to open to follow each job. Fewer is better: lower the number where it fell. */
const MOST_FILES: Readonly<Record<keyof typeof WALKS, number>> = { query: 71, cell: 73, ingest: 54 };

it.each(Object.entries(MOST_FILES))('leads a %s through at most %i files', async (name, most) => {
  const stretches = await WALKS[name as keyof typeof WALKS].follow();
  const files = [...new Set(stretches.flatMap((stretch) => stretch.files))];
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(most);
  // Each program's part was recorded.
  expect(stretches.map(({ program }) => program).sort()).toEqual(
    { query: ['client', 'service'], cell: ['cells', 'kernel'], ingest: ['ingest'] }[name],
  );
  for (const stretch of stretches) expect(stretch.files.length).toBeGreaterThan(8);
});
