import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAbsent } from '../../support/is-absent.js';
import { type SmallService, serveSmall } from './serve-small.js';

const run = promisify(execFile);
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', '#x27': "'", '#39': "'" };

let small: SmallService;
beforeAll(async () => {
  small = await serveSmall({ open: false });
});
afterAll(() => small.close());

/** The block of code with a caption on the page, as a reader would copy it. */
async function copied(caption: string): Promise<string> {
  const page = await (await fetch(`${small.url}/docs`)).text();
  const [, code = ''] =
    new RegExp(`<figcaption>${caption}</figcaption><pre[^>]*><code>([\\s\\S]*?)</code>`).exec(page) ?? [];
  return code.replace(/<[^>]+>/g, '').replace(/&([#\w]+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

/** Saves a program of the page and runs it with a key that is good, or with another. */
async function ran(program: string, caption: string, file: string, apiKey = small.key) {
  const path = join(small.folder, file);
  await writeFile(path, await copied(caption));
  return run(program, [path], { env: { PATH: process.env.PATH, ODDSLAB_URL: small.url, ODDSLAB_API_KEY: apiKey } });
}

describe('a program on the page does what it says:', () => {
  it.skipIf(isAbsent('/usr/bin/curl', 'the curl example'))('curl', async () => {
    const { stdout } = await ran('bash', 'curl', 'ask.sh');
    expect(JSON.parse(stdout)).toMatchObject({
      params: { closed: 'False', min_volume: '100000' },
      data: { results: [] },
    });
  });

  it('JavaScript', async () => {
    const { stdout } = await ran(process.execPath, 'JavaScript', 'ask.mjs');
    expect(stdout).toContain('will-it-happen-12');
    await expect(ran(process.execPath, 'JavaScript', 'ask.mjs', 'wrong')).rejects.toThrow('This API key is not valid.');
  });

  it.skipIf(isAbsent('/usr/bin/python3', 'the Python example'))('Python', async () => {
    const { stdout } = await ran('python3', 'Python, with nothing installed', 'ask.py');
    expect(stdout.split('\n')[0]).toBe('12000 Will it happen (12)?');
  });
});
