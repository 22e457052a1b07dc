import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { servePage } from '../../src/page/serve-page.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type PageServer, servePageHere } from './page-server.js';

const at = (path: string) => `/api/contents/${path.split('/').map(encodeURIComponent).join('/')}`;

/** Saves a text, and gives the answer. */
function saveText({ ask }: PageServer, path: string, content: string, more: object = {}) {
  return ask(at(path), { method: 'PUT', body: { type: 'file', format: 'text', content, ...more } });
}

function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

it('shows a folder as Jupyter does, without hidden files and links that lead nowhere', async () => {
  const server = await servePageHere();
  const { folder, ask } = server;
  await mkdir(join(folder, 'sub/.git'), { recursive: true });
  await writeFile(join(folder, 'a b.txt'), 'text');
  await writeFile(join(folder, '.env'), 'secret');
  await symlink('nowhere', join(folder, 'broken'));
  await symlink('/etc', join(folder, 'out'));
  const { status, json } = await ask('/api/contents');
  expect(status).toBe(200);
  const { content, created, last_modified: modified, ...model } = json;
  expect(model).toEqual({
    ...{ name: '', path: '', type: 'directory', format: 'json', mimetype: null, size: null, writable: true },
    ...{ hash: null, hash_algorithm: null },
  });
  expect([created, modified].map((time) => new Date(time).toISOString())).toEqual([created, modified]);
  const shown = content.map((each: { name: string; type: string; size: number }) => [each.name, each.type, each.size]);
  expect(shown.sort()).toEqual([
    ['a b.txt', 'file', 4],
    ['sub', 'directory', null],
  ]);
  expect((await ask(at('sub'))).json.content).toEqual([]);
  expect((await ask(`${at('sub')}?content=0`)).json).toMatchObject({ content: null, format: null });
});

it('gives a file as text or bytes, with its digest where it is asked for', async () => {
  const { folder, ask } = await servePageHere();
  await writeFile(join(folder, 'a.csv'), '\uFEFFa,b\r\n1,2');
  await writeFile(join(folder, 'b.bin'), Buffer.from([0xff, 0, 1]));
  const { json } = await ask(`${at('a.csv')}?type=file&format=text&hash=1`);
  expect(json).toMatchObject({ format: 'text', mimetype: 'text/csv', content: '\uFEFFa,b\r\n1,2', size: 11 });
  expect([json.hash, json.hash_algorithm]).toEqual([sha256('\uFEFFa,b\r\n1,2'), 'sha256']);
  expect((await ask(`${at('a.csv')}?content=0`)).json).toMatchObject({ content: null, format: null, hash: null });
  expect((await ask(`${at('b.bin')}?content=0&hash=1`)).json.hash).toBe(sha256(Buffer.from([0xff, 0, 1])));
  expect((await ask(at('b.bin'))).json).toMatchObject({
    format: 'base64',
    content: '/wAB',
    mimetype: 'application/octet-stream',
  });
  expect((await ask(`${at('a.csv')}?format=base64`)).json.content).toBe(
    Buffer.from('\uFEFFa,b\r\n1,2').toString('base64'),
  );
  const refused = [
    [`${at('b.bin')}?format=text`, 400, 'b.bin is no text: it is not UTF-8.'],
    [`${at('a.csv')}?type=directory`, 400, 'a.csv is a file, not a folder.'],
    [`${at('')}?type=file`, 400, ' is a folder, not a file.'],
    [`${at('a.csv')}?type=other`, 400, 'Type "other" is none of directory, file, notebook.'],
    [`${at('a.csv')}?content=yes`, 400, '"content" must be 0 or 1, not "yes".'],
    [at('none.txt'), 404, 'none.txt does not exist.'],
    [at('a.csv/b'), 404, 'a.csv/b does not exist.'],
    ['/api/contents/%ff', 400, 'The path /%ff is not encoded as addresses are.'],
  ] as const;
  for (const [path, status, message] of refused) {
    const answer = await ask(path);
    expect([path, answer.status, answer.json]).toEqual([path, status, { message, reason: null }]);
  }
});

it('saves whole files, keeps permissions and links, and leaves nothing beside them', async () => {
  const server = await servePageHere();
  const { folder } = server;
  await mkdir(join(folder, 'sub'));
  await writeFile(join(folder, 'sub/run.sh'), 'old');
  await chmod(join(folder, 'sub/run.sh'), 0o750);
  await symlink('sub/run.sh', join(folder, 'link.sh'));
  const saved = await saveText(server, 'link.sh', 'new é');
  expect([saved.status, saved.json.size, saved.json.content]).toEqual([200, 6, null]);
  expect(await readFile(join(folder, 'sub/run.sh'), 'utf8')).toBe('new é');
  expect((await stat(join(folder, 'sub/run.sh'))).mode & 0o777).toBe(0o750);
  expect(await readlink(join(folder, 'link.sh'))).toBe('sub/run.sh');
  const made = await saveText(server, 'new.txt', 'x');
  expect([made.status, made.headers.location]).toEqual([201, '/api/contents/new.txt']);
  expect((await stat(join(folder, 'new.txt'))).mode & 0o777).toBe(0o666 & ~process.umask());
  expect((await readdir(folder, { recursive: true })).sort()).toEqual(['link.sh', 'new.txt', 'sub', 'sub/run.sh']);
});

it('takes names of any kind', async () => {
  const server = await servePageHere();
  const names = [
    'ä ö.txt',
    '日本語.md',
    '👩‍👩‍👧.csv',
    'a\u0301.txt',
    '100%.txt',
    'a%2Fb.txt',
    'a?b#c&d.txt',
    'quote\'s "x".txt',
    'line\nbreak.txt',
    'back\\slash.txt',
    '-n',
    '~',
    'trailing ',
    '#',
    `${'l'.repeat(251)}.txt`,
    '\u2028.txt',
    'CON.txt',
    'a:b',
  ];
  for (const name of names) {
    // An encoded slash divides the parts of a path; a percent sign of a name is encoded itself.
    expect([name, (await saveText(server, name, name)).status]).toEqual([name, 201]);
    expect((await server.ask(at(name))).json).toMatchObject({ name, path: name, content: name });
    expect((await server.ask(`/files/${encodeURIComponent(name)}`)).text).toBe(name);
    expect(await readFile(join(server.folder, name), 'utf8')).toBe(name);
  }
  const { json } = await server.ask('/api/contents');
  expect(json.content.map((model: { name: string }) => model.name).sort()).toEqual([...names].sort());
  expect((await saveText(server, `${'x'.repeat(256)}`, '')).json.message).toMatch(/: the name is too long\.$/);
});

it('refuses a save where another program wrote meanwhile, even within the same instant and size', async () => {
  const server = await servePageHere();
  const { folder, ask } = server;
  const file = join(folder, 'a.txt');
  await writeFile(file, 'one');
  await ask(at('a.txt'));
  const { atime, mtime } = await stat(file);
  await writeFile(file, 'two');
  // As if it had been in the same instant.
  await utimes(file, atime, mtime);
  const refused = await saveText(server, 'a.txt', 'mine');
  expect([refused.status, refused.json]).toEqual([
    409,
    {
      message: 'a.txt was changed elsewhere since it was opened here: save again to choose between both.',
      reason: null,
    },
  ]);
  expect(await readFile(file, 'utf8')).toBe('two');
  // The page looks again, asks, and is told to overwrite.
  expect((await ask(`${at('a.txt')}?content=0&hash=1`)).json.hash).toBe(sha256('two'));
  expect((await saveText(server, 'a.txt', 'mine')).status).toBe(200);
  expect(await readFile(file, 'utf8')).toBe('mine');
});

it('gives the digest of what was saved, so that what another program adds before that does not count as saved', async () => {
  const server = await servePageHere();
  const { folder, ask } = server;
  const file = join(folder, 'log.txt');
  await saveText(server, 'log.txt', 'a\n');
  await writeFile(file, 'grown\n', { flag: 'a' });
  expect((await ask(`${at('log.txt')}?content=0&hash=1`)).json.hash).toBe(sha256('a\n'));
  // At the next save the page finds another digest, and asks.
  expect((await ask(`${at('log.txt')}?content=0&hash=1`)).json.hash).toBe(sha256('a\ngrown\n'));
});

it('forgets the digest of what was saved once the page has looked at the file', async () => {
  const server = await servePageHere();
  const file = join(server.folder, 'a.txt');
  await saveText(server, 'a.txt', 'saved');
  await writeFile(file, 'edited elsewhere');
  expect((await server.ask(`${at('a.txt')}?content=1&hash=1`)).json.hash).toBe(sha256('edited elsewhere'));
  expect((await server.ask(`${at('a.txt')}?content=0&hash=1`)).json.hash).toBe(sha256('edited elsewhere'));
});

it('refuses the save of a page that does not know what another page has saved', async () => {
  const server = await servePageHere();
  const { folder, ask } = server;
  await writeFile(join(folder, 'a.txt'), 'both know this');
  const of = (page: string) => ({
    look: () => ask(`${at('a.txt')}?content=0&hash=1`, { headers: { 'x-oddslab-page': page } }),
    save: (content: string) =>
      ask(at('a.txt'), {
        ...{ method: 'PUT', headers: { 'x-oddslab-page': page } },
        body: { type: 'file', format: 'text', content },
      }),
  });
  const [first, second] = [of('first'), of('second')];
  await first.look();
  await second.look();
  expect((await first.save('of the first')).status).toBe(200);
  expect((await first.look()).json.hash).toBe(sha256('of the first'));
  expect((await second.save('of the second')).status).toBe(409);
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('of the first');
  expect((await second.look()).json.hash).toBe(sha256('of the first'));
  expect((await second.save('of both')).status).toBe(200);
  // The digest that waits is for the page that saved.
  await writeFile(join(folder, 'a.txt'), 'edited elsewhere');
  expect((await first.look()).json.hash).toBe(sha256('edited elsewhere'));
  expect((await second.look()).json.hash).toBe(sha256('of both'));
});

it('refuses a text that no file can hold, and keeps it in notebooks', async () => {
  const server = await servePageHere();
  const refused = await saveText(server, 'a.txt', 'one\ntwo \ud800');
  expect([refused.status, refused.json.message]).toEqual([
    400,
    'Line 2 holds half of a sign (a lone surrogate), which no file can hold: remove it.',
  ]);
  expect(await readdir(server.folder)).toEqual([]);
  const cell = { cell_type: 'markdown', id: 'a', metadata: {}, source: 'half \ud800' };
  const content = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
  const body = { type: 'notebook', format: 'json', content };
  expect((await server.ask(at('a.ipynb'), { method: 'PUT', body })).status).toBe(201);
  expect((await server.ask(at('a.ipynb'))).json.content.cells[0].source).toBe('half \ud800');
});

it('renames to the same name, and where the checkpoint cannot follow, and loses nothing', async () => {
  const { folder, ask, logged } = await servePageHere();
  const move = (from: string, path: string) => ask(at(from), { method: 'PATCH', body: { path } });
  await writeFile(join(folder, 'a.txt'), 'a');
  await ask(`${at('a.txt')}/checkpoints`, { method: 'POST' });
  for (const same of ['a.txt', '/a.txt', 'a.txt/'])
    expect([same, (await move('a.txt', same)).status]).toEqual([same, 200]);
  expect((await ask(`${at('a.txt')}/checkpoints`)).json).toHaveLength(1);
  // A file where the folder of checkpoints should be.
  await mkdir(join(folder, 'sub'));
  await writeFile(join(folder, 'sub/.ipynb_checkpoints'), '');
  const moved = await move('a.txt', 'sub/b.txt');
  expect([moved.status, moved.json.path]).toEqual([200, 'sub/b.txt']);
  expect(logged).toEqual([expect.stringMatching(/^Left the checkpoint of a\.txt as it was: /)]);
  // So does deleting: what is gone is gone.
  await symlink('nowhere', join(folder, 'link'));
  expect((await ask(at('sub/b.txt'), { method: 'DELETE' })).status).toBe(204);
});

it('keeps a checkpoint of a file with the longest name there is', async () => {
  const server = await servePageHere();
  const name = `${'é'.repeat(125)}.txt`;
  await saveText(server, name, 'first');
  expect((await server.ask(`${at(name)}/checkpoints`, { method: 'POST' })).status).toBe(201);
  await saveText(server, name, 'second');
  expect((await server.ask(`${at(name)}/checkpoints/checkpoint`, { method: 'POST' })).status).toBe(204);
  expect(await readFile(join(server.folder, name), 'utf8')).toBe('first');
  const other = `${'é'.repeat(124)}à.txt`;
  expect((await server.ask(at(name), { method: 'PATCH', body: { path: other } })).status).toBe(200);
  expect((await server.ask(`${at(other)}/checkpoints`)).json).toHaveLength(1);
});

// Elsewhere any user may listen on any port.
const firstFree = await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8').catch(() => '0');
it.skipIf(process.getuid?.() !== 0 || Number(firstFree) <= 80)(
  'tells of a port that this user may not use',
  async () => {
    const { folder, state } = await servePageHere();
    for (const each of [join(folder, '..'), folder]) await chmod(each, 0o755);
    await chown(state, 65_534, 65_534);
    process.seteuid?.(65_534);
    try {
      // The state of a server of its own: the other's keys are readable by root alone.
      const own = { folder, frontEnd: folder, state: join(state, 'own'), port: 80, env: {}, log: () => {} };
      await expect(servePage(own)).rejects.toThrow(
        'Cannot listen on port 80 of 127.0.0.1: this user may not use it, as most below 1024: take another with --port (0 picks a free one).',
      );
    } finally {
      process.seteuid?.(0);
    }
  },
);

it('saves nothing that it could not open again', async () => {
  const server = await servePageHere();
  await saveText(server, 'a.txt', 'kept');
  const large = await saveText(server, 'a.txt', 'x'.repeat(64 * 1024 * 1024 + 1));
  expect([large.status, large.json.message]).toEqual([
    413,
    'a.txt has 65 MB; the page saves at most 64 MB. Clear large outputs, or write it in a cell.',
  ]);
  expect(await readFile(join(server.folder, 'a.txt'), 'utf8')).toBe('kept');
});

it('lists a folder of many files whole', async () => {
  const { folder, ask } = await servePageHere();
  const names = Array.from({ length: 450 }, (_, index) => `${index}.txt`);
  await Promise.all(names.map((name) => writeFile(join(folder, name), '', { mode: name === '7.txt' ? 0o444 : 0o644 })));
  const { content } = (await ask('/api/contents')).json;
  expect(content.map(({ name }: { name: string }) => name).sort()).toEqual([...names].sort());
  expect(content.filter(({ writable }: { writable: boolean }) => !writable)).toMatchObject([{ name: '7.txt' }]);
});

it('refuses a folder that this user may not read', async () => {
  const { folder, state } = await servePageHere();
  const closed = join(folder, 'closed');
  await mkdir(closed, { mode: 0o300 });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    for (const each of [join(folder, '..'), folder]) await chmod(each, 0o755);
    process.seteuid?.(65_534);
  }
  try {
    const page = servePage({ folder: closed, frontEnd: folder, state, port: 0, env: {}, log: () => {} });
    await expect(page).rejects.toThrow(`Cannot open the folder ${closed}: this user may not read it.`);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

it('saves one after another where two pages save at once', async () => {
  const server = await servePageHere();
  await saveText(server, 'a.txt', '');
  const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(1000));
  const answers = await Promise.all(texts.map((text) => saveText(server, 'a.txt', text)));
  expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200));
  expect(texts).toContain(await readFile(join(server.folder, 'a.txt'), 'utf8'));
  expect(await readdir(server.folder)).toEqual(['a.txt']);
});

it('takes an upload in pieces, which appears once it is whole', async () => {
  const server = await servePageHere();
  const { folder } = server;
  const piece = (path: string, chunk: number, text: string) =>
    server.ask(at(path), {
      method: 'PUT',
      body: { type: 'file', format: 'base64', content: Buffer.from(text).toString('base64'), chunk },
    });
  const visible = async () => (await readdir(folder)).filter((name) => !name.startsWith('.'));
  expect((await piece('big.bin', 1, 'one ')).json).toMatchObject({ path: 'big.bin', type: 'file', content: null });
  expect(await visible()).toEqual([]);
  await piece('big.bin', 2, 'two ');
  expect((await piece('big.bin', -1, 'three')).json).toMatchObject({ size: 13 });
  expect(await readFile(join(folder, 'big.bin'), 'utf8')).toBe('one two three');
  // A piece is missing: the older file stays.
  await piece('big.bin', 1, 'new ');
  const broken = await piece('big.bin', 3, 'x');
  expect([broken.status, broken.json.message]).toEqual([400, 'The upload of big.bin lacks a piece: upload it again.']);
  expect((await piece('big.bin', -1, 'y')).status).toBe(400);
  expect((await piece('other.bin', 2, 'y')).status).toBe(400);
  expect(await readFile(join(folder, 'big.bin'), 'utf8')).toBe('one two three');
  await piece('left.bin', 1, 'never ends');
  // Another upload of the same file has to wait, and the first goes on.
  await piece('again.bin', 1, 'a');
  const second = await piece('again.bin', 1, 'b');
  expect([second.status, second.json.message]).toEqual([
    409,
    'again.bin is being uploaded already: wait for that, or try again in half a minute.',
  ]);
  await piece('again.bin', -1, 'c');
  expect(await readFile(join(folder, 'again.bin'), 'utf8')).toBe('ac');
  const begun = await Promise.all(Array.from({ length: 10 }, (_, index) => piece('many.bin', 1, String(index))));
  expect(begun.filter(({ status }) => status === 409)).toHaveLength(9);
  // That of left.bin is the other one.
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toHaveLength(2);
  const pages = await server.ask(at('many.bin'), {
    method: 'PUT',
    headers: { 'x-oddslab-page': 'another' },
    body: { type: 'file', format: 'text', content: 'x', chunk: -1 },
  });
  expect(pages.status).toBe(409);
  await server.page.close();
  expect((await readdir(folder)).sort()).toEqual(['again.bin', 'big.bin']);
});

it('removes what a killed server left half-written, and nothing else of that kind', async () => {
  const { folder, ask } = await servePageHere();
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
  const names = ['.oddslab-0123456789abcdef.part', '.oddslab-fedcba9876543210.part', '.oddslab-mine.part'];
  for (const name of names) await writeFile(join(folder, name), 'x');
  await utimes(join(folder, names[0] ?? ''), old, old);
  await utimes(join(folder, names[2] ?? ''), old, old);
  await ask('/api/contents');
  expect((await readdir(folder)).sort()).toEqual(names.slice(1).sort());
});

it('makes files, notebooks and folders under names that are free, and copies', async () => {
  const { folder, ask } = await servePageHere();
  const create = async (body: object, path = '') => {
    const { status, json, headers } = await ask(at(path), { method: 'POST', body });
    return [status, json.path ?? json.message, headers.location];
  };
  expect(await create({ type: 'file', ext: '.ts' })).toEqual([201, 'untitled.ts', '/api/contents/untitled.ts']);
  expect(await create({ type: 'file', ext: 'ts' })).toEqual([201, 'untitled1.ts', '/api/contents/untitled1.ts']);
  expect((await create({ type: 'directory' }))[1]).toBe('Untitled Folder');
  expect((await create({ type: 'directory' }))[1]).toBe('Untitled Folder 1');
  expect((await create({ type: 'notebook' }, 'Untitled Folder'))[1]).toBe('Untitled Folder/Untitled.ipynb');
  const notebook = JSON.parse(await readFile(join(folder, 'Untitled Folder/Untitled.ipynb'), 'utf8'));
  expect(notebook).toMatchObject({ cells: [], nbformat: 4, metadata: { kernelspec: { name: 'oddslab' } } });
  await writeFile(join(folder, 'a.tar.gz'), 'bytes');
  await chmod(join(folder, 'a.tar.gz'), 0o600);
  expect((await create({ copy_from: 'a.tar.gz' }))[1]).toBe('a-Copy1.tar.gz');
  expect((await create({ copy_from: '/a-Copy1.tar.gz' }))[1]).toBe('a-Copy2.tar.gz');
  expect((await create({ copy_from: 'a.tar.gz' }, 'Untitled Folder'))[1]).toBe('Untitled Folder/a.tar.gz');
  expect((await create({ copy_from: 'a.tar.gz' }, 'Untitled Folder'))[1]).toBe('Untitled Folder/a-Copy1.tar.gz');
  expect(await readFile(join(folder, 'a-Copy2.tar.gz'), 'utf8')).toBe('bytes');
  expect((await stat(join(folder, 'a-Copy2.tar.gz'))).mode & 0o777).toBe(0o600);
  expect(await create({ type: 'file' }, 'none')).toEqual([404, 'There is no folder none.', undefined]);
  expect((await create({ type: 'file', ext: '/../x' }))[0]).toBe(400);
  expect((await create({ copy_from: 'Untitled Folder' }))[0]).toBe(400);
});

it('renames without ever taking the place of something, and takes the checkpoint along', async () => {
  const { folder, ask } = await servePageHere();
  const move = (from: string, path: unknown) => ask(at(from), { method: 'PATCH', body: { path } });
  await writeFile(join(folder, 'a.txt'), 'a');
  await writeFile(join(folder, 'b.txt'), 'b');
  await mkdir(join(folder, 'sub'));
  expect((await ask(`${at('a.txt')}/checkpoints`, { method: 'POST' })).status).toBe(201);
  const taken = await move('a.txt', 'b.txt');
  expect([taken.status, taken.json.message]).toEqual([409, 'b.txt exists already: choose another name.']);
  expect((await move('a.txt', 'sub')).status).toBe(409);
  const moved = await move('a.txt', 'sub/c.txt');
  expect([moved.status, moved.json.path]).toEqual([200, 'sub/c.txt']);
  expect((await ask(`${at('sub/c.txt')}/checkpoints`)).json).toHaveLength(1);
  expect(await readFile(join(folder, 'sub/.ipynb_checkpoints/c-checkpoint.txt'), 'utf8')).toBe('a');
  expect((await move('sub', 'other')).json.path).toBe('other');
  expect((await move('other', 'other/inside')).status).toBe(400);
  expect((await move('none', 'x')).status).toBe(404);
  expect((await move('b.txt', '')).status).toBe(400);
  expect((await move('b.txt', undefined)).json.message).toBe('The new name is missing: `path` must be a text.');
  expect((await move('b.txt', '.hidden')).status).toBe(404);
  expect((await move('b.txt', 'b.txt')).status).toBe(200);
  expect((await readdir(folder, { recursive: true })).sort()).toEqual(
    [
      '.ipynb_checkpoints',
      'b.txt',
      'other',
      'other/.ipynb_checkpoints',
      'other/.ipynb_checkpoints/c-checkpoint.txt',
      'other/c.txt',
    ].sort(),
  );
});

it('deletes files, links and empty folders, and never what a folder holds', async () => {
  const { folder, ask } = await servePageHere();
  const remove = async (path: string) => {
    const { status, json } = await ask(at(path), { method: 'DELETE' });
    return [status, json?.message];
  };
  await mkdir(join(folder, 'full/.git'), { recursive: true });
  await mkdir(join(folder, 'kept'));
  await mkdir(join(folder, 'empty/.ipynb_checkpoints'), { recursive: true });
  await writeFile(join(folder, 'kept/a.txt'), 'a');
  await symlink('kept/a.txt', join(folder, 'link'));
  await symlink('kept', join(folder, 'folder-link'));
  expect(await remove('kept')).toEqual([400, 'The folder kept is not empty (1 entry): empty it first.']);
  expect(await remove('full')).toEqual([
    400,
    'The folder full is not empty (1 entry, all of them hidden): empty it first.',
  ]);
  expect(await remove('link')).toEqual([204, undefined]);
  expect(await remove('empty')).toEqual([204, undefined]);
  expect(await remove('folder-link')).toEqual([204, undefined]);
  expect(await remove('none')).toEqual([404, 'none does not exist.']);
  expect((await remove(''))[0]).toBe(400);
  expect((await readdir(folder, { recursive: true })).sort()).toEqual(['full', 'full/.git', 'kept', 'kept/a.txt']);
  expect(await remove('kept/a.txt')).toEqual([204, undefined]);
  expect(await remove('kept')).toEqual([204, undefined]);
});

it('keeps one checkpoint a file, and puts it back', async () => {
  const server = await servePageHere();
  const { folder, ask } = server;
  await saveText(server, 'a.ipynb.txt', 'first');
  const path = `${at('a.ipynb.txt')}/checkpoints`;
  expect((await ask(path)).json).toEqual([]);
  const made = await ask(path, { method: 'POST' });
  expect([made.status, made.json.id, made.headers.location]).toEqual([201, 'checkpoint', `${path}/checkpoint`]);
  await saveText(server, 'a.ipynb.txt', 'second');
  expect((await ask(`${path}/checkpoint`, { method: 'POST' })).status).toBe(204);
  expect(await readFile(join(folder, 'a.ipynb.txt'), 'utf8')).toBe('first');
  expect((await ask(`${path}/other`, { method: 'POST' })).status).toBe(404);
  expect((await ask(`${path}/checkpoint`, { method: 'DELETE' })).status).toBe(204);
  expect((await ask(`${path}/checkpoint`, { method: 'DELETE' })).status).toBe(404);
  expect((await ask(`${at('none')}/checkpoints`, { method: 'POST' })).status).toBe(404);
  // A folder of checkpoints that leads elsewhere gets nothing.
  const outside = await temporaryFolder();
  await rm(join(folder, '.ipynb_checkpoints'), { recursive: true });
  await symlink(outside, join(folder, '.ipynb_checkpoints'));
  expect((await ask(path, { method: 'POST' })).status).toBe(403);
  expect(await readdir(outside)).toEqual([]);
});

it('lets no path and no link lead out of the folder', async () => {
  const server = await servePageHere();
  const { folder, ask } = server;
  const outside = await temporaryFolder();
  await writeFile(join(outside, 'secret.txt'), 'secret');
  await symlink(outside, join(folder, 'out'));
  await symlink(join(outside, 'secret.txt'), join(folder, 'secret.txt'));
  await symlink(join(outside, 'new.txt'), join(folder, 'new.txt'));
  await symlink('../state', join(folder, 'state'));
  await writeFile(join(folder, 'mine.txt'), 'mine');
  const paths = [
    ...['../state/trust.key', '..', 'a/../../state', './a', '.env', 'sub/.git/config', '.ipynb_checkpoints/a', 'a\0b'],
    ...['out/secret.txt', 'out', 'out/new', 'secret.txt', 'new.txt', 'state', 'state/trust.key', 'out/../mine.txt'],
  ];
  const sent = paths.flatMap((path) => [
    path.split('/').map(encodeURIComponent).join('/'),
    encodeURIComponent(path),
    path,
  ]);
  for (const path of [
    ...sent.filter((each) => !each.includes('\0')),
    '..%2f..%2fetc/passwd',
    '%2e%2e/%2e%2e/etc/passwd',
    '..%5cx/..%2f..',
  ]) {
    const answers = [
      await ask(`/api/contents/${path}`),
      await ask(`/files/${path}`),
      await ask(`/nbconvert/html/${path}`),
      await ask(`/static/${path}`),
      await ask(`/lab/api/themes/${path}`),
      await ask(`/api/contents/${path}`, { method: 'PUT', body: { type: 'file', format: 'text', content: 'x' } }),
      await ask(`/api/contents/${path}/checkpoints`, { method: 'POST' }),
      await ask('/api/contents/mine.txt', { method: 'PATCH', body: { path: `${decodeURIComponent(path)}/x` } }),
      await ask('/api/contents', { method: 'POST', body: { copy_from: decodeURIComponent(path) } }),
    ];
    // The client may have resolved dots itself, to another address of this server.
    for (const { status, text } of answers) {
      expect([path, status, text.includes('secret"') || text === 'secret']).toEqual([
        path,
        expect.toBeOneOf([200, 201, 302, 400, 403, 404, 405]),
        false,
      ]);
    }
  }
  expect(await readdir(outside)).toEqual(['secret.txt']);
  expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
  for (const name of ['out', 'secret.txt', 'new.txt', 'state'])
    expect((await lstat(join(folder, name))).isSymbolicLink()).toBe(true);
});

it('lets no link lead out that is swapped in while requests are under way', async () => {
  const server = await servePageHere();
  const { folder, ask } = server;
  const outside = await temporaryFolder();
  await writeFile(join(outside, 'a.txt'), 'secret');
  await mkdir(join(folder, 'real'));
  await writeFile(join(folder, 'real/a.txt'), 'mine');
  await symlink(outside, join(folder, '.link'));
  let isOver = false;
  const swapping = (async () => {
    await rename(join(folder, 'real'), join(folder, 'sub'));
    while (!isOver) {
      await rename(join(folder, 'sub'), join(folder, '.real'));
      await rename(join(folder, '.link'), join(folder, 'sub'));
      await rename(join(folder, 'sub'), join(folder, '.link'));
      await rename(join(folder, '.real'), join(folder, 'sub'));
      await setTimeout(Math.random() * 8);
    }
  })();
  let found = 0;
  for (let round = 0; round < 150; round++) {
    const answers = await Promise.all([
      ask(at('sub/a.txt')),
      ask('/files/sub/a.txt'),
      saveText(server, 'sub/a.txt', 'mine'),
      saveText(server, `sub/new${round}.txt`, 'mine'),
      ask(at('sub'), { method: 'POST', body: { type: 'file' } }),
      ask(at(`sub/new${round - 1}.txt`), { method: 'DELETE' }),
    ]);
    expect(answers.filter(({ text }) => text.includes('secret'))).toEqual([]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    found += answers.filter(({ status }) => status < 300).length;
  }
  isOver = true;
  await swapping;
  expect(found).toBeGreaterThan(0);
  expect(await readdir(outside)).toEqual(['a.txt']);
  expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('secret');
});

it('tells of what cannot be read or written in one clear message', async () => {
  const server = await servePageHere();
  const { folder, ask } = server;
  await writeFile(join(folder, 'fixed.txt'), 'kept');
  await chmod(join(folder, 'fixed.txt'), 0o444);
  const readOnly = await saveText(server, 'fixed.txt', 'new');
  expect([readOnly.status, readOnly.json.message]).toEqual([
    403,
    'fixed.txt is read-only: change its permissions, or save under another name.',
  ]);
  expect((await ask(`${at('fixed.txt')}?content=0`)).json.writable).toBe(false);
  expect(await readFile(join(folder, 'fixed.txt'), 'utf8')).toBe('kept');
  await writeFile(join(folder, 'huge.csv'), '');
  await truncate(join(folder, 'huge.csv'), 3 * 1024 ** 3);
  const huge = await ask(at('huge.csv'));
  expect([huge.status, huge.json.message]).toEqual([
    413,
    'huge.csv has 3072 MB; the page opens at most 64 MB. Read it in a cell, or download it.',
  ]);
  const long = await ask(at('a.txt'), {
    method: 'PUT',
    headers: { 'content-length': String(10 ** 9), connection: 'close' },
    body: '',
  }).catch(String);
  expect(typeof long === 'string' || long.status === 413).toBe(true);
  expect((await ask(at('a.txt'), { method: 'PUT', body: '{"a":' })).json.message).toBe(
    'The body of the request must be a JSON object.',
  );
  expect((await ask(at('none/a.txt'), { method: 'PUT', body: { type: 'file', content: '' } })).json.message).toBe(
    'There is no folder none: make it first.',
  );
  await link(join(folder, 'fixed.txt'), join(folder, 'second.txt'));
  const file = join(folder, 'fixed.txt');
  const refused = [
    [join(folder, 'none'), `Cannot open the folder ${join(folder, 'none')}: it does not exist; make it first.`],
    [file, `Cannot open ${file}: it is a file; name the folder that it lies in.`],
  ] as const;
  for (const [path, message] of refused) {
    const options = { frontEnd: folder, port: 0, env: {}, state: server.state, log: () => {} };
    await expect(servePage({ ...options, folder: path })).rejects.toThrow(message);
  }
  await expect(servePageHere({ port: server.page.port })).rejects.toThrow(
    `Cannot listen on port ${server.page.port} of 127.0.0.1: it is in use: take another with --port (0 picks a free one).`,
  );
  await expect(servePageHere({ state: join(file, 'state') })).rejects.toThrow('Cannot keep settings in');
});

it('tells clearly that a folder is read-only, and loses nothing', async () => {
  const server = await servePageHere();
  const { folder, ask } = server;
  await mkdir(join(folder, 'fixed'));
  await writeFile(join(folder, 'fixed/a.txt'), 'kept');
  await chmod(join(folder, 'fixed/a.txt'), 0o666);
  await chmod(join(folder, 'fixed'), 0o555);
  // Root may write everywhere, so another user does.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const each of [join(folder, '..'), folder]) await chmod(each, 0o755);
  if (isRoot) process.seteuid?.(65_534);
  try {
    const why = 'this user may not write there; choose another folder or change its permissions.';
    const told = async (name: string, path: string, sent: object) => {
      const { status, json } = await ask(path, sent);
      expect([path, status, json]).toEqual([path, 403, { message: `Cannot write ${name}: ${why}`, reason: null }]);
    };
    const body = { type: 'file', format: 'text', content: 'new' };
    await told('a.txt', at('fixed/a.txt'), { method: 'PUT', body });
    await told('b.txt', at('fixed/b.txt'), { method: 'PUT', body });
    await told('sub', at('fixed/sub'), { method: 'PUT', body: { type: 'directory' } });
    await told('untitled.txt', at('fixed'), { method: 'POST', body: { type: 'file' } });
    await told('c.txt', at('fixed/a.txt'), { method: 'PATCH', body: { path: 'fixed/c.txt' } });
    await told('a.txt', at('fixed/a.txt'), { method: 'DELETE' });
    expect((await ask(at('fixed/a.txt'))).json.content).toBe('kept');
  } finally {
    if (isRoot) process.seteuid?.(0);
    await chmod(join(folder, 'fixed'), 0o755);
  }
  expect(await readdir(join(folder, 'fixed'))).toEqual(['a.txt']);
});

it('sends files as they are, in a sandbox, while they grow', async () => {
  const { folder, ask } = await servePageHere();
  await writeFile(join(folder, 'page.html'), '<script>alert(1)</script>');
  const page = await ask('/files/page.html');
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "sandbox allow-scripts; default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; frame-ancestors 'self'",
    'x-content-type-options': 'nosniff',
  });
  expect(page.text).toBe('<script>alert(1)</script>');
  const kept = await ask('/files/page.html?download=1');
  expect(kept.headers['content-disposition']).toBe("attachment; filename*=UTF-8''page.html");
  expect((await ask('/files/page.html', { method: 'HEAD' })).headers['content-length']).toBe('25');
  await writeFile(join(folder, 'empty'), '');
  expect((await ask('/files/empty')).bytes).toHaveLength(0);
  expect((await ask('/files/none')).status).toBe(404);
  expect((await ask('/files/')).status).toBe(400);
  await writeFile(join(folder, 'log'), 'x'.repeat(5_000_000));
  const growing = setInterval(() => void writeFile(join(folder, 'log'), 'y'.repeat(100_000), { flag: 'a' }), 1);
  const log = await ask('/files/log');
  clearInterval(growing);
  expect(log.bytes).toHaveLength(Number(log.headers['content-length']));
});
