import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Trust } from '../../src/page/trust.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { servePageHere } from './page-server.js';

const SCRIPT = { output_type: 'display_data', data: { 'text/html': '<script>run()</script>' }, metadata: {} };

/** A notebook that claims to be trusted, with a cell that shows something and one that does not. */
function hostile(source = 'show()', output: object = SCRIPT) {
  const cell = { cell_type: 'code', execution_count: 1, metadata: { trusted: true }, outputs: [output], source };
  return {
    cells: [
      { ...cell, id: 'a' },
      { ...cell, id: 'b', outputs: [] },
      { cell_type: 'markdown', id: 'c', metadata: { trusted: true }, source: '<script>run()</script>' },
    ],
    metadata: { trusted: true },
    nbformat: 4,
    nbformat_minor: 5,
  };
}

/** The log of what must have nothing to tell. */
const fail = (line: string) => expect.unreachable(line);

type Cells = { metadata: { trusted?: boolean } }[];
const trustOf = ({ cells }: { cells: Cells }) => cells.map(({ metadata }) => metadata.trusted);

it('trusts no file by its own words, but what the page has saved or was told to trust', async () => {
  const { folder, state, page, ask } = await servePageHere();
  const shown = async (name: string) => (await ask(`/api/contents/${name}`)).json.content;
  const text = JSON.stringify(hostile());
  await writeFile(join(folder, 'a.ipynb'), text);
  expect(trustOf(await shown('a.ipynb'))).toEqual([undefined, true, undefined]);
  // Saved as it is: still not.
  const content = await shown('a.ipynb');
  await ask('/api/contents/a.ipynb', { method: 'PUT', body: { type: 'notebook', format: 'json', content } });
  expect(trustOf(await shown('a.ipynb'))).toEqual([undefined, true, undefined]);
  expect(await readFile(join(folder, 'a.ipynb'), 'utf8')).toBe(text);
  // The user runs or trusts its cells.
  for (const cell of content.cells) cell.metadata.trusted = true;
  await ask('/api/contents/a.ipynb', { method: 'PUT', body: { type: 'notebook', format: 'json', content } });
  expect(trustOf(await shown('a.ipynb'))).toEqual([true, true, undefined]);
  expect(await readFile(join(folder, 'a.ipynb'), 'utf8')).toBe(text);
  // The same cells elsewhere are the same; other outputs or code are not.
  await writeFile(join(folder, 'copy.ipynb'), JSON.stringify({ ...hostile(), metadata: {} }, undefined, 2));
  expect(trustOf(await shown('copy.ipynb'))).toEqual([true, true, undefined]);
  const other = { ...SCRIPT, data: { 'text/html': '<script>other()</script>' } };
  await writeFile(join(folder, 'b.ipynb'), JSON.stringify(hostile('show()', other)));
  await writeFile(join(folder, 'c.ipynb'), JSON.stringify(hostile('show() ')));
  for (const name of ['b.ipynb', 'c.ipynb']) expect(trustOf(await shown(name))).toEqual([undefined, true, undefined]);
  await page.trustNotebook('b.ipynb');
  expect(trustOf(await shown('b.ipynb'))).toEqual([true, true, undefined]);
  expect((await ask('/api/contents/c.ipynb/trust', { method: 'POST' })).status).toBe(201);
  expect(trustOf(await shown('c.ipynb'))).toEqual([true, true, undefined]);
  for (const name of ['trust.key', 'trusted-notebooks']) {
    expect([name, (await stat(join(state, name))).mode & 0o777]).toEqual([name, 0o600]);
  }
});

it('does not take digests that were made with another key', async () => {
  const base = await temporaryFolder();
  const [mine, theirs] = [join(base, 'mine'), join(base, 'theirs')];
  await mkdir(mine);
  await mkdir(theirs);
  const notebook = () => structuredClone(hostile()) as never;
  await new Trust(theirs, fail).note(notebook());
  await new Trust(mine, fail).mark(notebook());
  await writeFile(join(mine, 'trusted-notebooks'), await readFile(join(theirs, 'trusted-notebooks')));
  const shown = notebook() as { cells: Cells };
  await new Trust(mine, fail).mark(shown as never);
  expect(trustOf(shown)).toEqual([undefined, true, undefined]);
});

it('shares what is trusted between processes, and survives a broken key or list', async () => {
  const state = await temporaryFolder();
  const notebook = () => structuredClone(hostile()) as never;
  const marked = async (trust: Trust) => {
    const shown = notebook() as { cells: Cells };
    await trust.mark(shown as never);
    return trustOf(shown)[0];
  };
  const all = [new Trust(state, fail), new Trust(state, fail), new Trust(state, fail)] as const;
  // Three at once make one key.
  expect(await Promise.all(all.map(marked))).toEqual([undefined, undefined, undefined]);
  await all[0].note(notebook());
  expect(await Promise.all(all.map(marked))).toEqual([true, true, true]);
  await writeFile(join(state, 'trusted-notebooks'), 'no digest\n\0\n');
  expect(await marked(all[1])).toBe(undefined);
  await writeFile(join(state, 'trust.key'), 'short');
  expect(await marked(new Trust(state, fail))).toBe(undefined);
  expect(await readFile(join(state, 'trust.key'))).toHaveLength(32);
});

it('opens and saves where trust can neither be read nor noted, and tells so', async () => {
  const { folder, state, ask, logged } = await servePageHere();
  const content = hostile();
  const save = () => ask('/api/contents/a.ipynb', { method: 'PUT', body: { type: 'notebook', content } });
  const shown = async () => trustOf((await ask('/api/contents/a.ipynb')).json.content);
  // No key can be kept.
  await mkdir(join(state, 'trust.key'));
  expect((await save()).status).toBe(201);
  expect(JSON.parse(await readFile(join(folder, 'a.ipynb'), 'utf8')).cells).toHaveLength(3);
  expect(await shown()).toEqual([undefined, true, undefined]);
  expect(new Set(logged.map((line) => line.split(':')[0]))).toEqual(
    new Set(['Cannot tell which notebooks are trusted, so their outputs run nothing']),
  );
  const asked = await ask('/api/contents/a.ipynb/trust', { method: 'POST' });
  expect([asked.status, asked.json.message]).toEqual([
    expect.toBeOneOf([400, 403]),
    expect.stringContaining(`Cannot write ${join(state, 'trusted-notebooks')}: `),
  ]);
  // As soon as it can, it is, without another start.
  await rm(join(state, 'trust.key'), { recursive: true });
  expect((await save()).status).toBe(200);
  expect(await shown()).toEqual([true, true, undefined]);
});

it('notes a notebook also where a crash has cut the list within a line', async () => {
  const state = await temporaryFolder();
  await writeFile(join(state, 'trusted-notebooks'), '0123456789');
  await new Trust(state, fail).note(structuredClone(hostile()) as never);
  const shown = structuredClone(hostile()) as { cells: Cells };
  await new Trust(state, fail).mark(shown as never);
  expect(trustOf(shown)).toEqual([true, true, undefined]);
});

it('tells of notebooks that cannot be read in one clear message', async () => {
  const { folder, ask } = await servePageHere();
  const files = {
    'text.ipynb': ['not JSON', /^text\.ipynb is no notebook: it is not JSON \(.+\)\.$/],
    'cut.ipynb': [JSON.stringify(hostile()).slice(0, 100), /^cut\.ipynb is no notebook: it is not JSON \(.+\)\.$/],
    'empty.ipynb': ['', /^empty\.ipynb is no notebook: it is not JSON/],
    'list.ipynb': ['[]', /^list\.ipynb is no notebook that can be read: the file holds no JSON object\.$/],
    'old.ipynb': [
      JSON.stringify({ ...hostile(), nbformat: 3 }),
      /`nbformat` is 3; only version 4 is read, to which Jupyter converts/,
    ],
    'cells.ipynb': [
      JSON.stringify({ ...hostile(), cells: [{}] }),
      /`cells\[0\]\.cell_type` must be code, markdown or raw\.$/,
    ],
    'bytes.ipynb': [Buffer.from([0xff, 0xfe]), /^bytes\.ipynb is no notebook: it is not UTF-8 text\.$/],
  } as const;
  for (const [name, [content, message]] of Object.entries(files)) {
    await writeFile(join(folder, name), content);
    const { status, json } = await ask(`/api/contents/${name}?type=notebook`);
    expect([name, status, json]).toEqual([name, 400, { message: expect.stringMatching(message), reason: null }]);
    // As a file it can be looked at and mended.
    expect((await ask(`/api/contents/${name}?type=file`)).status).toBe(200);
    expect((await ask(`/nbconvert/html/${name}`)).status).toBe(400);
    expect(await readFile(join(folder, name))).toEqual(Buffer.from(content));
  }
  const none = await ask('/api/contents/new.ipynb', {
    method: 'PUT',
    body: { type: 'notebook', content: { cells: 1 } },
  });
  expect([none.status, none.json.message]).toEqual([400, expect.stringMatching(/^new\.ipynb is no notebook/)]);
});
