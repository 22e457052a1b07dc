/**
 * `npm run page` builds the notebook page, as `oddslab lab` does when it needs it; `npm run page -- --check` checks the
 * types of its front end's sources, where the packages that they import are installed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/base/packages.js';
import { frontEnd } from '../src/page/front-end.js';

const front = join(packageRoot(), 'src/page/front');
if (!process.argv.includes('--check')) {
  console.error(`the notebook page is in ${await frontEnd({ onProgress: (line) => console.error(line) })}`);
} else if (!existsSync(join(front, 'node_modules'))) {
  console.error('the types of the notebook page are not checked: "npm run page" installs what it imports');
} else {
  const tsc = join(packageRoot(), 'node_modules/typescript/bin/tsc');
  process.exitCode = spawnSync(process.execPath, [tsc, '-p', front], { stdio: 'inherit' }).status ?? 1;
}
