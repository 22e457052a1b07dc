import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { kernelsFolders, prefixKernelsFolder, userKernelsFolder } from '../../../src/kernel/install/jupyter-folders.js';
import { isAbsent } from '../../support/is-absent.js';

const at = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}, home: string | undefined = '/home/ada') => ({
  platform,
  home,
  env,
});
const PYTHON = '/usr/bin/python3';

describe('userKernelsFolder', () => {
  it('is one of all folders, also where the home folder is named from here', () => {
    const place = at('linux', {}, 'home');
    expect(kernelsFolders(place)).toContain(userKernelsFolder(place));
  });

  it.each([
    ['linux', {}, '/home/ada/.local/share/jupyter/kernels'],
    ['linux', { XDG_DATA_HOME: '/home/ada/data' }, '/home/ada/data/jupyter/kernels'],
    ['linux', { XDG_DATA_HOME: '/x', JUPYTER_DATA_DIR: '/srv/jupyter' }, '/srv/jupyter/kernels'],
    ['freebsd', {}, '/home/ada/.local/share/jupyter/kernels'],
    ['darwin', { XDG_DATA_HOME: '/x' }, '/home/ada/Library/Jupyter/kernels'],
    ['darwin', { JUPYTER_DATA_DIR: '/srv/jupyter' }, '/srv/jupyter/kernels'],
    ['win32', { APPDATA: '/home/ada/AppData' }, '/home/ada/AppData/jupyter/kernels'],
    ['win32', {}, '/home/ada/.jupyter/data/kernels'],
    ['win32', { JUPYTER_CONFIG_DIR: '/etc/j' }, '/etc/j/data/kernels'],
  ] as const)('on %s with %o is %s', (platform, env, folder) => {
    expect(userKernelsFolder(at(platform, env))).toBe(folder);
  });
});

it('says what to do where the user has no home folder', () => {
  const homeless = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}) => ({ platform, home: undefined, env });
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    expect(() => userKernelsFolder(homeless(platform))).toThrow('Set HOME or JUPYTER_DATA_DIR');
    expect(userKernelsFolder(homeless(platform, { JUPYTER_DATA_DIR: '/srv/j' }))).toBe('/srv/j/kernels');
  }
  expect(kernelsFolders(homeless('linux'))).toEqual(['/usr/local/share/jupyter/kernels', '/usr/share/jupyter/kernels']);
});

it('prefixKernelsFolder is below share/jupyter', () => {
  expect(prefixKernelsFolder('/opt/venv/')).toBe('/opt/venv/share/jupyter/kernels');
});

describe('kernelsFolders', () => {
  it('names them in the order in which Jupyter takes them, each once', () => {
    const env = { JUPYTER_PATH: '/one:/two::/one', VIRTUAL_ENV: '/venv', CONDA_PREFIX: '/usr/local' };
    expect(kernelsFolders(at('linux', env))).toEqual([
      '/one/kernels',
      '/two/kernels',
      '/home/ada/.local/share/jupyter/kernels',
      '/venv/share/jupyter/kernels',
      '/usr/local/share/jupyter/kernels',
      '/usr/share/jupyter/kernels',
    ]);
  });

  it('lets the environment go first where Jupyter is told to', () => {
    const env = { VIRTUAL_ENV: '/venv', JUPYTER_PREFER_ENV_PATH: '1' };
    expect(kernelsFolders(at('linux', env)).slice(0, 2)).toEqual([
      '/venv/share/jupyter/kernels',
      '/home/ada/.local/share/jupyter/kernels',
    ]);
  });

  it.skipIf(isAbsent('/usr/bin/jupyter', 'the folders as Jupyter names them'))('agrees with Jupyter itself', () => {
    const env = { HOME: '/tmp/ada', JUPYTER_PATH: '/one:/two', XDG_DATA_HOME: '/tmp/ada/data', PATH: '/usr/bin' };
    const asked =
      'import json; from jupyter_core.paths import jupyter_path; print(json.dumps(jupyter_path("kernels")))';
    const theirs: string[] = JSON.parse(execFileSync(PYTHON, ['-c', asked], { env, encoding: 'utf8' }));
    const pythons = '/tmp/ada/.local/share/jupyter/kernels';
    expect(kernelsFolders(at('linux', env, '/tmp/ada'))).toEqual(theirs.filter((folder) => folder !== pythons));
  });
});
