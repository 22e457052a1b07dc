import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/base/packages.js';
import { simulate } from '../../src/service/sample/simulate-sample.js';
import { freePort } from '../support/free-port.js';
import { isAbsent } from '../support/is-absent.js';
import { firstLineOf } from '../support/run-command.js';
import { ask } from '../support/serve-folder.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';
import { DOCKERFILE, type Stage, stagesOf, textsOf } from './dockerfile.js';

const root = packageRoot();
const [build, image] = stagesOf(DOCKERFILE) as [Stage, Stage];
const run = promisify(execFile);
/** What the build gets to see: each line lets something in, or keeps out a part of that. */
const listed = readFileSync(join(root, 'deploy/Dockerfile.dockerignore'), 'utf8').split('\n');
const keptOut = new Set(listed.filter((line) => !/^(!|#|\*|$)/.test(line)));

describe('the Dockerfile', () => {
  const linter = join(root, 'node_modules/dockerfile-utils/lib/main.js');
  it.skipIf(isAbsent(linter, 'the Dockerfile has no fault that a linter finds'))(
    'has no fault that a linter finds',
    () => {
      const { validate } = createRequire(import.meta.url)(linter) as { validate: (text: string) => unknown[] };
      expect(validate(DOCKERFILE)).toEqual([]);
      expect(validate('FROM node:24-slim\nRUNN npm ci\n')).toHaveLength(1);
    },
  );

  it('runs as nobody special, on a Node.js with long support, and keeps nothing but the data', () => {
    expect([build, image].map((stage) => textsOf(stage, 'FROM')[0])).toEqual(['node:24-slim AS build', 'node:24-slim']);
    expect(textsOf(image, 'USER')).toEqual(['1000:1000']);
    expect(textsOf(image, 'VOLUME')).toEqual(['/data']);
    expect(textsOf(image, 'ENV')).toContain('ODDSLAB_DATA=/data');
    // It would take precedence over the configuration file's.
    expect(textsOf(image, 'ENV').join()).not.toContain('ODDSLAB_SERVE_PORT');
    expect(DOCKERFILE).not.toMatch(/curl|wget|sudo|:latest/);
  });

  it('lets into the build what it copies, and nothing else', () => {
    const letIn = listed.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(listed.find((line) => line !== '' && !line.startsWith('#'))).toBe('*');
    expect([...new Set(copiedIn(build))].sort()).toEqual(letIn.sort());
  });
});

/** Copies the installed packages, by hard links where that can be: npm replaces files, but for its list of them. */
async function copyPackages(app: string): Promise<void> {
  const list = 'node_modules/.package-lock.json';
  await run('sh', ['-c', 'cp -rl "$0" "$1" 2>/dev/null || cp -r "$0" "$1"', join(root, 'node_modules'), app]);
  await rm(join(app, list), { force: true });
  await cp(join(root, list), join(app, list));
}

/** What a stage copies from the repository. */
function copiedIn(stage: Stage): string[] {
  return textsOf(stage, 'COPY')
    .filter((text) => !text.startsWith('--from'))
    .flatMap((text) => text.split(/\s+/).slice(0, -1));
}

describe('what the image holds', () => {
  let app: string;
  let data: string;

  // The packages are copied from here: that "npm ci" brings them is shown where this repository was installed.
  beforeAll(async () => {
    const work = await mkdtemp(join(tmpdir(), 'oddslab-image-'));
    [app, data] = [join(work, 'app'), join(work, 'data')];
    await mkdir(app);
    for (const { name, text } of build) {
      if (name === 'RUN' && text.startsWith('npm ci')) await copyPackages(app);
      else if (name === 'RUN') await run('sh', ['-c', text], { cwd: app });
      else if (name === 'COPY') await copyIn(text);
    }
    const { files } = await simulate({ out: join(work, 'sample'), markets: 20, wallets: 10, fills: 500 });
    await run(process.execPath, [join(app, 'dist/cli/main.js'), 'ingest', '--data', data, ...files], { cwd: app });
  });
  afterAll(() => rm(dirname(app), { recursive: true, force: true }));

  async function copyIn(text: string): Promise<void> {
    const words = text.split(/\s+/);
    const target = words.at(-1) ?? '';
    for (const word of words.slice(0, -1)) {
      const into = join(app, target.endsWith('/') ? target + word : target);
      await cp(join(root, word), into, { recursive: true, filter: (path) => !keptOut.has(relative(root, path)) });
    }
  }

  it('has no package that only building needs', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const left = Object.keys(devDependencies).filter((name) => existsSync(join(app, 'node_modules', name)));
    expect(left).toEqual([]);
  });

  it('serves, tells that it is healthy, and ends when it is told to', async () => {
    const port = String(await freePort());
    const env = { PATH: process.env.PATH, ODDSLAB_DATA: data, ODDSLAB_SERVE_PORT: port, ODDSLAB_SERVE_OPEN: 'true' };
    const words = JSON.parse(textsOf(image, 'CMD')[0] ?? '[]') as string[];
    const child = spawn(process.execPath, [join(app, 'dist/cli/main.js'), ...words], { env, stdio: 'pipe' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const url = await firstLineOf(child);
    expect((await ask(url, { agent_id: 574 })).json.data.results).toHaveLength(20);

    const [, check = ''] = /CMD (\[.*\])$/.exec(textsOf(image, 'HEALTHCHECK')[0] ?? '') ?? [];
    const checkWords = (JSON.parse(check) as string[]).slice(1).map((word) => word.replace(/^\/app/, app));
    /** Asks as the image does, where the service was started by these words, in this environment. */
    const isHealthy = async (started: string[] = [], variables: NodeJS.ProcessEnv = env) => {
      const file = await put(await temporaryFolder(), 'cmdline', started.map((word) => `${word}\0`).join(''));
      const ends = run(process.execPath, [...checkWords, file], { env: variables });
      return ends.then(...([() => true, () => false] as const));
    };
    expect(await isHealthy()).toBe(true);
    const config = await put(await temporaryFolder(), 'serve.json', { port: Number(port) });
    for (const [words, variables] of [
      [['serve'], { ODDSLAB_SERVE_CONFIG: config, ODDSLAB_SERVE_HOST: '0.0.0.0' }],
      [['serve', '--config', config], {}],
      [['docker-init', '--', 'node', 'main.js', 'serve', '--port', port], { ODDSLAB_SERVE_PORT: '1' }],
      [['serve', `--port=${port}`, '--host', '::'], {}],
    ] as [string[], NodeJS.ProcessEnv][]) {
      expect([words, await isHealthy(words, variables)]).toEqual([words, true]);
    }
    expect(await isHealthy(['serve', '--port', '1'])).toBe(false);
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(await isHealthy()).toBe(false);
  });
});
