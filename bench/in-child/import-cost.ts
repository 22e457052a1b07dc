import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/base/packages.js';

// Prints what `import 'oddslab'` of the built package costs in this fresh process: its time, or the memory after it.
const start = performance.now();
await import(pathToFileURL(join(packageRoot(), 'dist/index.js')).href);
const took = performance.now() - start;
console.log(process.argv[2] === 'MB' ? process.memoryUsage.rss() / 1e6 : took);
