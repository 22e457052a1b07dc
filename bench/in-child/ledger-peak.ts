import { type FOLDS, foldOnce } from '../ledger.js';
import { ownPeakMb } from '../own-peak.js';

// Prints the peak memory of this process, in MB, while it makes events and folds them in one of the ways of FOLDS.
const [fold = 'ours', fills = ''] = process.argv.slice(2);
await foldOnce(fold as keyof typeof FOLDS, Number(fills));
console.log(ownPeakMb());
