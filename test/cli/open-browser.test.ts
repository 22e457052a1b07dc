import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openBrowser } from '../../src/cli/open-browser.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ADDRESS = 'http://127.0.0.1:8888/lab?code=a&b="c"';

/** A Linux desktop whose xdg-open is a script. */
async function desktop(script: string) {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const env = { PATH: [folder, process.env.PATH].join(delimiter), DISPLAY: ':0', FOLDER: folder };
  return { folder, file: join(folder, 'open.html'), place: { platform: 'linux', env } as const };
}

describe('openBrowser', () => {
  it('gives the browser a file that only this user can read, and no code on the command line', async () => {
    const { folder, file, place } = await desktop('echo "$@" > "$FOLDER/given"');
    writeFileSync(file, 'old', { mode: 0o644 });
    expect(await openBrowser(ADDRESS, file, { place })).toBe(undefined);
    const given = readFileSync(join(folder, 'given'), 'utf8').trim();
    expect([given.startsWith('file:///'), fileURLToPath(given)]).toEqual([true, file]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('url=http://127.0.0.1:8888/lab?code=a&amp;b=&quot;c&quot;"');
    expect(text).toContain('content="no-referrer"');
  });

  it('writes nothing, and does not wait for a browser, once the page ends', async () => {
    const { folder, file, place } = await desktop('echo > "$FOLDER/started"; sleep 2');
    expect(await openBrowser(ADDRESS, file, { place, signal: AbortSignal.abort() })).toBe(undefined);
    expect(existsSync(file)).toBe(false);
    const ending = new AbortController();
    let isOver = false;
    const opened = openBrowser(ADDRESS, file, { place, signal: ending.signal }).then(() => {
      isOver = true;
    });
    while (!existsSync(join(folder, 'started'))) await new Promise((done) => setTimeout(done, 20));
    expect(isOver).toBe(false);
    ending.abort();
    await opened;
    // The program itself goes on: it may be the browser.
    expect(existsSync(file)).toBe(true);
  });

  it('says why no browser opened', async () => {
    const failing = await desktop('exit 3');
    expect(await openBrowser(ADDRESS, failing.file, { place: failing.place })).toBe('xdg-open ended with 3');
    const bare = await temporaryFolder();
    const file = join(bare, 'open.html');
    const linux = (env: NodeJS.ProcessEnv) => ({ platform: 'linux', env }) as const;
    expect(await openBrowser(ADDRESS, file, { place: linux({ PATH: bare, DISPLAY: ':0' }) })).toBe(
      'there is no xdg-open here',
    );
    const other = join(bare, 'other.html');
    expect(await openBrowser(ADDRESS, other, { place: linux({ PATH: bare }) })).toBe('this terminal has no screen');
    expect(existsSync(other)).toBe(false);
  });
});
