import { type FOLDS, foldOnce } from '../ledger.js';

// Prints the most memory, in MB, that this process held while it made events and folded them in one way.
const [fold = 'ours', fills = ''] = process.argv.slice(2);
await foldOnce(fold as keyof typeof FOLDS, Number(fills));
console.log(process.resourceUsage().maxRSS / 1000);
