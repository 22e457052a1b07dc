import { assert as assertAll, type Parameters } from 'fast-check';

export * from 'fast-check';

/** The share of each property's cases that this run tries: less than 1 where a run beside it, on another Node, tries all. */
const SHARE = Number(process.env.TESTS_CASES_SHARE ?? 1);
/** How many cases a property has that does not say. */
const USUAL = 100;
/** So many are tried in any case. */
const FEWEST = 25;

/**
 * fast-check's own, on {@link SHARE} of the cases.
 *
 * @public Called as one of all, by `fast-check.ts`.
 */
export const assert: typeof assertAll = ((property, parameters: Parameters<unknown> = {}) => {
  const all = parameters.numRuns ?? USUAL;
  const some = Math.max(Math.ceil(SHARE * all), FEWEST);
  return assertAll(property, { ...parameters, numRuns: Math.min(some, all) });
}) as typeof assertAll;
