import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findJupyter, withoutJupyter } from '../../src/cli/find-jupyter.js';
import { isAbsent } from '../support/is-absent.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A folder with commands that are shell scripts. */
async function commands(scripts: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

const at = async (env: NodeJS.ProcessEnv) => ({ platform: process.platform, home: await temporaryFolder(), env });

describe('findJupyter', () => {
  it('takes JupyterLab before Jupyter Notebook, wherever they are', async () => {
    const notebook = await commands({ 'jupyter-notebook': 'echo 7.0.1' });
    const lab = await commands({ 'jupyter-lab': 'echo 4.2.0' });
    expect(await findJupyter(await at({ PATH: [notebook, lab].join(delimiter) }))).toEqual({
      title: 'JupyterLab',
      command: join(lab, 'jupyter-lab'),
      args: [],
    });
  });

  it('passes over what lies on the PATH with nothing behind it', async () => {
    const shims = await commands({ 'jupyter-lab': 'echo "command not found" >&2; exit 127', python3: 'exit 127' });
    const silent = await commands({ 'jupyter-lab': 'exit 0' });
    const real = await commands({ 'jupyter-lab': 'echo 4.2.0' });
    const found = await findJupyter(await at({ PATH: [shims, silent, real].join(delimiter) }));
    expect(found?.command).toBe(join(real, 'jupyter-lab'));
  });

  it('takes the active environment before the PATH', async () => {
    const venv = await temporaryFolder();
    mkdirSync(join(venv, 'bin'));
    writeFileSync(join(venv, 'bin', 'jupyter-lab'), '#!/bin/sh\necho 4.2.0\n', { mode: 0o755 });
    const path = await commands({ 'jupyter-lab': 'echo 3.0.0' });
    const found = await findJupyter(await at({ PATH: path, VIRTUAL_ENV: venv }));
    expect(found?.command).toBe(join(venv, 'bin', 'jupyter-lab'));
  });

  it('finds a module of Python that has no command', async () => {
    const answering = 'test "$1 $2 $3" = "-m jupyterlab --version" && echo 4.2.0';
    const folder = await commands({ python3: answering });
    expect(await findJupyter(await at({ PATH: folder }))).toEqual({
      title: 'JupyterLab',
      command: join(folder, 'python3'),
      args: ['-m', 'jupyterlab'],
    });
  });

  it.skipIf(isAbsent('/usr/bin/jupyter-notebook', "the system's Jupyter behind a PATH that hides it"))(
    "finds the system's where the PATH hides it",
    async () => {
      const found = await findJupyter(await at({ PATH: await temporaryFolder() }));
      expect(['JupyterLab', 'Jupyter Notebook']).toContain(found?.title);
      expect(found?.command).toMatch(/^\/usr(\/local)?\/bin\//);
    },
  );
});

it('says how to install Jupyter on each platform', () => {
  const said = (platform: NodeJS.Platform) => withoutJupyter({ platform, folder: '/lab', data: '/lab/data' });
  expect(said('linux')).toContain('pip install jupyterlab');
  expect(said('darwin')).toContain('  brew install jupyterlab\n');
  expect(said('win32')).toContain('  py -m pip install jupyterlab\n');
  expect(said('win32')).toContain('set "ODDSLAB_DATA=/lab/data" && code /lab');
  expect(said('win32')).toContain('set "ODDSLAB_DATA=/lab/data" && oddslab run ');
});

it('names the folder, the data and the example as a shell takes them', async () => {
  const folder = join(await temporaryFolder(), "Ada's study");
  mkdirSync(join(folder, 'examples'), { recursive: true });
  const said = withoutJupyter({ platform: 'linux', folder, data: '/data' });
  const escaped = folder.replace("'", `'\\''`);
  expect(said).toContain(`ODDSLAB_DATA=/data code '${escaped}'`);
  expect(said).toMatch(/ {2}ODDSLAB_DATA=\/data oddslab run '.*study\/examples\/01-quick-start\.ipynb' --html$/);
});

it('names no data where the environment names a service', () => {
  const said = withoutJupyter({ platform: 'linux', folder: '/lab', data: undefined });
  expect(said).not.toContain('ODDSLAB_DATA');
  expect(said).toContain('Open the folder from this terminal:  code /lab\n');
});
