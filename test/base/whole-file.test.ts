import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DataError } from '../../src/base/errors.js';
import { openBeside, openWhole, writeWhole } from '../../src/base/whole-file.js';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-whole-'));
  path = join(folder, 'a');
});
afterEach(() => rm(folder, { recursive: true }));

describe('writeWhole', () => {
  test('takes text, bytes, and pieces of both that come at once or over time', async () => {
    async function* later() {
      yield 'é';
      await new Promise((resolve) => setTimeout(resolve, 5));
      yield Buffer.from('x');
    }
    const all = ['éx', Buffer.from('éx'), ['é', Buffer.from('x')], later()];
    for (const [at, pieces] of all.entries()) {
      expect(await writeWhole(`${path}${at}`, pieces)).toBe(3);
      expect(await readFile(`${path}${at}`, 'utf8')).toBe('éx');
    }
    expect(await writeWhole(path, [])).toBe(0);
    expect((await readdir(folder)).length).toBe(all.length + 1);
  });

  test('keeps permissions, and survives being told to put all on disk', async () => {
    await writeWhole(path, 'secret', { mode: 0o600, durable: true });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('takes the place of a large file, and of one that may not be read', async () => {
    for (const text of ['a', 'b', 'c']) {
      await writeWhole(path, text.repeat(3_000_000), { mode: text === 'a' ? 0o200 : 0o600 });
      expect((await stat(path)).size).toBe(3_000_000);
    }
    expect(await readFile(path, 'utf8')).toBe('c'.repeat(3_000_000));
    expect(await readdir(folder)).toEqual(['a']);
  });

  test('compresses many pieces to one gzip and gives its size', async () => {
    const pieces = Array.from({ length: 200 }, (_, at) => `${at} `.repeat(2_000));
    const bytes = await writeWhole(path, pieces, { gzip: true });
    const written = await readFile(path);
    expect(written.length).toBe(bytes);
    expect(gunzipSync(written).toString()).toBe(pieces.join(''));
  });

  test('throws on what the pieces throw, and leaves the older file alone', async () => {
    await writeFile(path, 'old');
    async function* failing() {
      yield 'new';
      throw new RangeError('no more');
    }
    for (const gzip of [false, true]) {
      await expect(writeWhole(path, failing(), { gzip })).rejects.toThrow(new RangeError('no more'));
    }
    expect(await readdir(folder)).toEqual(['a']);
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  test('says why it cannot write, with the system error as the cause', async () => {
    const failure = await writeWhole(join(path, 'none', 'b'), 'x').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DataError);
    expect(failure).toHaveProperty('cause.code', 'ENOENT');
    const message = `Cannot write ${folder}: it is a folder; name a file.`;
    await expect(writeWhole(folder, 'x')).rejects.toThrow(new DataError(message));
  });
});

/** Writes far more than the limit on files that it is started under. */
const PROGRAM = `
import { DataFrame, writeCsv } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
const text = Array.from({ length: 40_000 }, () => Math.random().toString(36).repeat(2));
const failure = await writeCsv(new DataFrame({ text }), process.argv[1]).catch((error) => error);
console.log(failure.name, failure.message, failure.cause?.code);
`;

test.skipIf(process.platform === 'win32').each(['a.csv', 'a.csv.gz'])(
  'says that the system stops the writing of %s on the way, and leaves nothing behind',
  (name) => {
    const target = join(folder, name);
    const limited = 'ulimit -f 128 && exec "$0" --input-type=module -e "$1" "$2"';
    const run = spawnSync('sh', ['-c', limited, process.execPath, PROGRAM, target], { encoding: 'utf8' });
    const why = 'the file would be larger than the system lets it be; write less, or compress it';
    expect(run.stderr).toBe('');
    expect(run.stdout).toBe(`DataError Cannot write ${target}: ${why}. EFBIG\n`);
    expect(readdirSync(folder)).toEqual([]);
  },
);

describe('openWhole', () => {
  test('shows nothing in its place before it is finished', async () => {
    await writeFile(path, 'old');
    const file = await openWhole(path);
    await file.write('new');
    await file.write(' and more');
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await file.finish()).toBe(12);
    expect(await readFile(path, 'utf8')).toBe('new and more');
    await file.discard();
    expect(await readdir(folder)).toEqual(['a']);
  });

  test('removes what was written when it is discarded', async () => {
    const file = await openWhole(path, { gzip: true });
    await file.write('new');
    await file.discard();
    await file.discard();
    expect(await readdir(folder)).toEqual([]);
  });

  test('lets two buffers be filled and written in turn', async () => {
    const file = await openWhole(path);
    const buffers = [Buffer.alloc(100_000), Buffer.alloc(100_000)];
    for (let at = 0; at < 50; at += 1) {
      const buffer = buffers[at % 2] ?? Buffer.alloc(0);
      buffer.fill(at);
      await file.write(buffer);
    }
    await file.finish();
    const bytes = await readFile(path);
    expect(bytes.length).toBe(5_000_000);
    expect(bytes.every((byte, at) => byte === Math.floor(at / 100_000))).toBe(true);
  });
});

test.skipIf(process.platform === 'win32')('writes through links to a file that is not there yet', async () => {
  await mkdir(join(folder, 'deep'));
  await symlink('deep/link', join(folder, 'first'));
  await symlink('../a', join(folder, 'deep', 'link'));
  expect(await writeWhole(join(folder, 'first'), 'new')).toBe(3);
  expect(await readFile(path, 'utf8')).toBe('new');
  for (const link of ['first', 'deep/link']) expect((await lstat(join(folder, link))).isSymbolicLink()).toBe(true);
  await symlink('none/b', join(folder, 'astray'));
  await expect(writeWhole(join(folder, 'astray'), 'new')).rejects.toThrow('its folder does not exist; make it first');
  await symlink('round', join(folder, 'round'));
  await expect(writeWhole(join(folder, 'round'), 'new')).resolves.toBe(3);
});

test.skipIf(process.platform === 'win32')('writes through a link, and straight into what is no file', async () => {
  const link = join(folder, 'link');
  await writeFile(path, 'old');
  await symlink(path, link);
  await writeWhole(link, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  const pipe = join(folder, 'pipe');
  spawnSync('mkfifo', [pipe]);
  const read = readFile(pipe, 'utf8');
  await writeWhole(pipe, 'through');
  expect(await read).toBe('through');
  expect((await lstat(pipe)).isFIFO()).toBe(true);
  const again = readFile(pipe, 'utf8');
  const file = await openBeside(pipe);
  await writeFile(file.beside, 'made elsewhere');
  expect(await file.finish()).toBe(14);
  expect(await again).toBe('made elsewhere');
  expect((await lstat(pipe)).isFIFO()).toBe(true);
});

test.skipIf(process.platform === 'win32')('keeps the permissions of the file that it replaces', async () => {
  await writeFile(path, 'old', { mode: 0o600 });
  await writeWhole(path, 'new');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});
