import { spawn } from 'node:child_process';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as afterMs } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { installKernel } from '../../src/kernel/install/install-kernel.js';
import { servePage } from '../../src/page/serve-page.js';
import { freePort } from '../support/free-port.js';
import { isAbsent } from '../support/is-absent.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Answers, callAll } from './calls.js';
import { DIFFERENCES } from './differences.js';
import { loadServices, SERVICES } from './services.js';

const PYTHON = '/usr/bin/python3';
const SERVER = '/usr/lib/python3/dist-packages/jupyter_server';
const TOKEN = 'token-of-the-comparison';

const TITLE = "JupyterLab's own client gets the same answers from our page's server as from Jupyter's";
const isSkipped = [SERVICES, SERVER].some((path) => isAbsent(path, TITLE));

test.skipIf(isSkipped)(TITLE, async () => {
  const services = loadServices();
  const [ours, theirs] = [await startOurs(), await startTheirs()];
  const answers = await callAll(services, ours.url, TOKEN);
  const expected = await callAll(services, theirs.url, TOKEN);
  expect([...answers.keys()]).toEqual([...expected.keys()]);
  const differing = differencesOf(answers, expected, [ours.folder, theirs.folder]);
  const unexplained = differing.filter(([call, field]) => !explain(call, field));
  expect(unexplained.map(([call, field, a, b]) => `${call} | ${field} | ${a} | ${b}`)).toEqual([]);
  const unused = DIFFERENCES.filter(([call, fields]) => !differing.some(([c, f]) => call.test(c) && fields.test(f)));
  expect(unused).toEqual([]);
});

function explain(call: string, field: string): string | undefined {
  return DIFFERENCES.find(([calls, fields]) => calls.test(call) && fields.test(field))?.[2];
}

interface Started {
  url: string;
  folder: string;
}

const env = { ...process.env, ODDSLAB_HISTORY: 'off', ODDSLAB_TYPES: 'warn' };

async function startOurs(): Promise<Started> {
  const folder = await realpath(await temporaryFolder());
  const state = await temporaryFolder();
  const log = (line: string) => console.error(line);
  const page = await servePage({ folder, frontEnd: folder, state, port: 0, env, token: TOKEN, log });
  onTestFinished(() => page.close());
  return { url: page.url, folder };
}

async function startTheirs(): Promise<Started> {
  const home = await realpath(await temporaryFolder());
  const folder = join(home, 'work');
  await mkdir(folder);
  const data = join(home, 'share/jupyter');
  await installKernel({ kernels: join(data, 'kernels') });
  const port = await freePort();
  const settings = { ip: '127.0.0.1', port, port_retries: 0, token: TOKEN, root_dir: folder, open_browser: false };
  const given = Object.entries(settings).map(
    ([name, value]) => `--ServerApp.${name}=${value === false ? 'False' : value}`,
  );
  const folders = ['data', 'runtime', 'config'].map((name) => [`JUPYTER_${name.toUpperCase()}_DIR`, join(home, name)]);
  const child = spawn(PYTHON, ['-m', 'jupyter_server', '--allow-root', ...given], {
    env: { ...env, HOME: home, JUPYTER_PATH: data, JUPYTER_NO_CONFIG: '1', ...Object.fromEntries(folders) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const ended = new Promise((done) => child.once('exit', done));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/api`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`Jupyter's server has ended: ${said}`);
    await afterMs(100);
  }
  return { url, folder };
}

/** The fields that differ: the call, the field's path, our value, theirs. */
function differencesOf(ours: Answers, theirs: Answers, folders: readonly string[]): [string, string, string, string][] {
  return [...ours].flatMap(([call, answer]) => {
    const [a, b] = [answer, theirs.get(call)].map((value) => new Map(fieldsOf(value, '', folders)));
    const fields = [...new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])];
    return fields
      .map((field): [string, string, string, string] => [
        call,
        field,
        a?.get(field) ?? 'nothing',
        b?.get(field) ?? 'nothing',
      ])
      .filter(([, , one, other]) => one !== other);
  });
}

/** Every field's path with its value as text: ids, times and folders only as such. */
function fieldsOf(value: unknown, path: string, folders: readonly string[]): [string, string][] {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([name, part]) =>
      fieldsOf(part, path === '' ? name : `${path}.${name}`, folders),
    );
  }
  const text = folders.reduce((told, folder) => told.replaceAll(folder, 'FOLDER'), JSON.stringify(value) ?? '');
  const told = text
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(_\d+)*/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g, 'TIME');
  return [[path, told]];
}
