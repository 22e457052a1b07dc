import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFleeting, remedyFor, scopeOf } from '../../src/cli/kernel.js';
import { isAbsent } from '../support/is-absent.js';
import { runCommand } from '../support/run-command.js';
import { runHere } from '../support/run-here.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A home of its own, so that nothing is written into that of whoever runs the tests. */
async function home() {
  const folder = await temporaryFolder();
  const env = { HOME: folder, USERPROFILE: folder, JUPYTER_DATA_DIR: join(folder, 'jupyter'), JUPYTER_PATH: '' };
  const kernels = join(folder, 'jupyter', 'kernels');
  return { folder, kernels, env, run: (...words: string[]) => runHere(['kernel', ...words], env) };
}

describe('oddslab kernel', () => {
  it('installs, lists, renews and uninstalls; paths alone on stdout', async () => {
    const { kernels, env, run } = await home();
    const place = join(kernels, 'oddslab');
    const done = [
      await run('list'),
      await run('install'),
      await run('install', '--user'),
      await run('list'),
      await run('uninstall'),
      await runCommand(['kernel', 'list'], env),
    ];
    const none =
      'The kernel is not installed where Jupyter looks: "oddslab kernel install" does it. ' +
      'What stands in one installation is listed by "oddslab kernel list --prefix DIR".\n';
    const choose = 'open a notebook and choose "TypeScript (Oddslab)".\n';
    expect(done).toEqual([
      { code: 0, out: '', err: none },
      { code: 0, out: `${place}\n`, err: `Installed the kernel oddslab: ${choose}` },
      { code: 0, out: `${place}\n`, err: `Renewed the kernel oddslab: ${choose}` },
      { code: 0, out: `oddslab\tready\t${place}\n`, err: '' },
      { code: 0, out: `${place}\n`, err: 'Removed the kernel oddslab.\n' },
      { code: 0, out: '', err: none },
    ]);
  });

  it('lists what stands in one installation, where Jupyter may not look', async () => {
    const { folder, run } = await home();
    const prefix = join(folder, 'venv');
    const kernels = join(prefix, 'share', 'jupyter', 'kernels');
    const none = `The kernel is not installed in ${kernels}: "oddslab kernel install --prefix ${prefix}" does it.\n`;
    expect(await run('list', '--prefix', prefix)).toEqual({ code: 0, out: '', err: none });
    await run('install', '--prefix', prefix);
    const listed = { code: 0, out: `oddslab\tready\t${join(kernels, 'oddslab')}\n`, err: '' };
    expect(await run('list', '--prefix', prefix)).toEqual(listed);
    expect(await run('list')).toMatchObject({ code: 0, out: '', err: expect.stringContaining('list --prefix DIR') });
  });

  it.each(['install', 'uninstall', 'list'])('%s refuses an empty --prefix', async (command) => {
    const { run } = await home();
    const err = expect.stringContaining('--prefix is empty: give it a value, or leave it out.');
    expect(await run(command, '--prefix', '')).toEqual({ code: 64, out: '', err });
  });

  it('says what is wrong with a kernel whose package moved, and its remedy helps', async () => {
    const { folder, env, run } = await home();
    const prefix = join(folder, 'my venv');
    const { out } = await run('install', '--prefix', prefix, '--types', 'block', '--name', 'strict');
    const file = join(out.trim(), 'kernel.json');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace(/"[^"]*main\.cjs"/, '"/gone/dist/kernel/main.cjs"'));
    const listed = await runHere(['kernel', 'list'], { ...env, JUPYTER_PATH: join(prefix, 'share', 'jupyter') });
    expect(listed).toMatchObject({ code: 1, out: `strict\tbroken\t${out}` });
    expect(listed.err).toContain(
      `does not start: /gone/dist/kernel/main.cjs is gone. Renew it: oddslab kernel install --prefix '${prefix}' --name strict`,
    );
    await run('install', '--prefix', prefix, '--name', 'strict');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('refuses what cannot be right, and names the remedy', async () => {
    const { folder, kernels, run } = await home();
    const refusals: [string[], string][] = [
      [['install', '--name', 'No Name'], '"No Name" is no name for a kernel'],
      [['install', '--user', '--prefix', folder], "option '--user' cannot be used with option '--prefix <dir>'"],
      [['install', '--types', 'strict'], 'Allowed choices are off, warn, block'],
      [
        ['uninstall'],
        `There is no kernel oddslab in ${kernels}, and none of ours where Jupyter looks. One that was installed with ` +
          '--prefix goes with: oddslab kernel uninstall --prefix DIR',
      ],
    ];
    for (const [words, message] of refusals) {
      expect(await run(...words)).toMatchObject({ code: 64, out: '', err: expect.stringContaining(message) });
    }
    await run('install', '--name', 'strict');
    expect((await run('uninstall')).err).toContain(
      'What there is goes with:\n  oddslab kernel uninstall --name strict\n',
    );
    rmSync(kernels, { recursive: true });
    writeFileSync(kernels, 'a file');
    expect(await run('install')).toMatchObject({ code: 1, err: expect.stringContaining('Cannot write') });
    expect(existsSync(folder)).toBe(true);
  });

  it.skipIf(isAbsent('/usr/bin/jupyter', 'the kernelspec as Jupyter lists it'))('is seen by Jupyter', async () => {
    const { folder, env, kernels, run } = await home();
    await run('install', '--types', 'warn');
    const list = ['-m', 'jupyter_client.kernelspecapp', 'list', '--json', '--log-level=ERROR'];
    const options = { env: { ...env, PATH: '/usr/bin' }, cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
    const { kernelspecs } = JSON.parse(execFileSync('/usr/bin/python3', list, options));
    expect(kernelspecs.oddslab).toMatchObject({
      resource_dir: join(kernels, 'oddslab'),
      spec: { display_name: 'TypeScript (Oddslab)', interrupt_mode: 'message', env: { ODDSLAB_TYPES: 'warn' } },
    });
  });
});

describe('scopeOf', () => {
  it.each([
    ['/opt/venv/share/jupyter/kernels/oddslab', 'oddslab kernel install --prefix /opt/venv'],
    ['/share/jupyter/kernels', 'oddslab kernel install --prefix /'],
    ['/srv/my jupyter/kernels', "JUPYTER_DATA_DIR='/srv/my jupyter' oddslab kernel install"],
  ])('%s is reached by %s', (folder, command) => {
    expect(scopeOf(folder).command('install')).toBe(command);
  });
});

it('remedyFor says nothing of a kernel that is ready', () => {
  expect(remedyFor({ name: 'oddslab', folder: '/k/oddslab', state: 'ready', argv: [], missing: [] })).toEqual([]);
});

it.each([
  ['/home/ada/.npm/_npx/1f/node_modules/oddslab', true],
  ['/home/ada/.cache/pnpm/dlx/ab/node_modules/oddslab', true],
  ['C:\\Users\\ada\\AppData\\npm-cache\\_npx\\1f\\node_modules\\oddslab', true],
  ['/usr/lib/node_modules/oddslab', false],
  ['/home/ada/npx/oddslab', false],
])('a package in %s is fleeting: %s', (root, fleeting) => {
  expect(isFleeting(root)).toBe(fleeting);
});
