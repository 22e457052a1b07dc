import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/packages.js';
import type { OutputEvent } from '../../src/kernel/wire/runner.js';
import { areLibrariesAbsent, linkLibraries } from '../support/libraries.js';
import { TestNotebook } from './run-cells.js';

/** A cell of the page, what it shows, and the files that stand before it. */
interface Example {
  code: string;
  shown: string;
  files: { name: string; text: string }[];
}

/** The cells of the section: blocks of code; a block with a name is a file, one of plain text what the cell before shows. */
function examples(): Example[] {
  const page = readFileSync(join(packageRoot(), 'docs/kernel.md'), 'utf8');
  const [, section = ''] = /^## What a cell may hold\n([\s\S]*?)^## /m.exec(page) ?? [];
  const found: Example[] = [];
  let files: Example['files'] = [];
  for (const [, language, name, text = ''] of section.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)) {
    const last = found.at(-1);
    if (language === 'text') {
      if (last) last.shown = text.trimEnd();
    } else if (name) files.push({ name, text });
    else {
      found.push({ code: text.trimEnd(), shown: '', files });
      files = [];
    }
  }
  return found;
}

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
  const cells = examples();

  it('is read from the page', () => expect(cells.length).toBeGreaterThan(1));

  it.each(cells.map((cell) => [cell.code, cell] as const))('%s', async (_, { code, shown, files }) => {
    for (const { name, text } of files) notebook.write(name, text);
    const { events, outcome } = await notebook.run(code);
    expect(outcome.status === 'error' ? outcome.fault.traceback : []).toEqual([]);
    expect(shownBy(events)).toBe(shown);
  });
});
