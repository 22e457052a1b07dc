import { setFlagsFromString } from 'node:v8';
import { OddslabError } from '../base/errors.js';
import { processFailure } from '../base/whole-file.js';
import { runKernel } from './run-kernel.js';

// The kernel's process, as a kernelspec starts it: `node main.cjs CONNECTION_FILE`.

// Optimizing takes milliseconds of a core, for which a cell waits where cores are few, so only code that stays hot for
// long is optimized: without this, 300 small cells take a tenth more of both processes (median of 8 pairs 1.10, the
// kernel's alone 1.23). Newer V8 has no such flag and optimizes more cheaply.
if (Number.parseInt(process.versions.v8, 10) < 13) setFlagsFromString('--interrupt-budget=1500000');
process.stderr.on('error', () => {});
process.on('uncaughtException', (error) => {
  process.stderr.write(`[oddslab] The kernel goes on after a fault of its own: ${error.stack ?? error}\n`);
});
runKernel(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${error instanceof OddslabError ? error.message : (processFailure(error) ?? error)}\n`);
  process.exit(1);
});
