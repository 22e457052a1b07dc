import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputEvent } from '../../src/kernel/wire/runner.js';
import { heldExamples } from '../support/held-examples.js';
import { areLibrariesAbsent, linkLibraries } from '../support/libraries.js';
import { TestNotebook } from './run-cells.js';

/** What a cell shows as a reader sees it: its streams and the plain text of everything else. */
function shownBy(events: readonly OutputEvent[]): string {
  const parts = events.map((event) => {
    if (event.type === 'stream') return event.text.trimEnd();
    return 'data' in event ? String(event.data['text/plain']) : '';
  });
  return parts.join('\n');
}

const notebook = new TestNotebook();
afterAll(() => notebook.close());

const WHAT = 'what docs/kernel.md says a cell may hold';

describe.skipIf(areLibrariesAbsent(WHAT))(WHAT, () => {
  beforeAll(() => linkLibraries(notebook.folder, ['react', 'react-dom', '@types/react']));
  const cells = heldExamples();

  it('is read from the page', () => expect(cells.length).toBeGreaterThan(1));

  it.each(cells.map((cell) => [cell.code, cell] as const))('%s', async (_, { code, shown, files }) => {
    for (const { name, text } of files) notebook.write(name, text);
    const { events, outcome } = await notebook.run(code);
    expect(outcome.status === 'error' ? outcome.fault.traceback : []).toEqual([]);
    expect(shownBy(events)).toBe(shown);
  });
});
