// The kernel's process, as a kernelspec starts it: `node main.cjs CONNECTION_FILE`.
import { setFlagsFromString } from 'node:v8';
import { OddslabError } from '../errors.js';
import { processFailure } from '../whole-file.js';
import { runKernel } from './run-kernel.js';

// The kernel runs much code a little: machine code at once, though none of the best, takes a tenth off the first cells.
setFlagsFromString('--always-sparkplug');
// Optimizing takes milliseconds of a core, and where there are few, a cell waits for that core: so only what stays hot for
// long is optimized. Newer V8 has no such flag, and optimizes more cheaply.
if (Number.parseInt(process.versions.v8, 10) < 13) setFlagsFromString('--interrupt-budget=1500000');
process.stderr.on('error', () => {});
process.on('uncaughtException', (error) => {
  process.stderr.write(`[oddslab] The kernel goes on after a fault of its own: ${error.stack ?? error}\n`);
});
runKernel(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${error instanceof OddslabError ? error.message : (processFailure(error) ?? error)}\n`);
  process.exit(1);
});
