// Puts the built service under mixed load while versions switch and workers die: `npm run soak -- --minutes 10`.
// Exits with 1 if anything fails.
import { parseArgs } from 'node:util';
import { isAllWell, soakReport } from '../bench/soak-report.js';
import { runSoak } from '../bench/soak-run.js';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error(`--minutes must be a number above 0; got ${values.minutes}.`);
  process.exit(64);
}
const report = await runSoak({ seconds: minutes * 60 });
console.log(soakReport(report));
process.exitCode = isAllWell(report) ? 0 : 1;
