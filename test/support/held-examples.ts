import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/packages.js';

/** A cell of the page, what it shows, and the files that stand before it. */
export interface Example {
  code: string;
  shown: string;
  files: { name: string; text: string }[];
}

/** The cells of the section "What a cell may hold" of docs/kernel.md: blocks of code; a block with a name is a file, one of plain text what the cell before shows. */
export function heldExamples(): Example[] {
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
