import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withoutJupyter } from '../../../src/cli/lab/without-jupyter.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

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
