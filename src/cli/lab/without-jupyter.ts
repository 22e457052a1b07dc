import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { shellWord } from '../../base/texts.js';

/** The platform, and what was prepared. */
export interface WithoutJupyter {
  readonly platform: NodeJS.Platform;
  /** Folder that was to be opened. */
  readonly folder: string;
  /** Data folder for the notebooks; undefined if they use a service elsewhere. */
  readonly data: string | undefined;
}

/** Advice if Jupyter is not installed: how to install it, or how to open the folder in VS Code. */
export function withoutJupyter({ platform, folder, data }: WithoutJupyter): string {
  const set = data === undefined ? '' : setData(data, platform);
  return `Jupyter is not installed here. All else is ready: the kernel, the data and the folder.

Install it, then run the same command again:
${installs(platform).join('\n')}

Or use VS Code:
  1. Install its extension "Jupyter":  code --install-extension ms-toolsai.jupyter
  2. Open the folder from this terminal:  ${set}code ${shellWord(folder, platform)}
  3. Open a notebook there and take "Select Kernel" > "Jupyter Kernel..." > "TypeScript (Oddslab)".

Without either, notebooks run all the same:  ${set}oddslab run ${shellWord(exampleIn(folder), platform)} --html`;
}

/** The beginning of a command that sets the data folder for notebooks. */
function setData(data: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `set "ODDSLAB_DATA=${data}" && ` : `ODDSLAB_DATA=${shellWord(data, platform)} `;
}

function installs(platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') return ['  brew install jupyterlab'];
  if (platform === 'win32') return ['  py -m pip install jupyterlab'];
  const apt = existsSync('/usr/bin/apt-get') ? ['  sudo apt install jupyter-notebook    # of this system'] : [];
  return [...apt, '  pip install jupyterlab               # or into a Python environment of yours'];
}

function exampleIn(folder: string): string {
  const path = relative('.', folder);
  const examples = existsSync(`${folder}/examples`) ? 'examples/' : '';
  return `${path === '' ? '' : `${path}/`}${examples}01-quick-start.ipynb`;
}
