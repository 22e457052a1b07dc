/** The greatest of 1, 2 and 5 times the powers of ten that is not above a number. */
export function stepBelow(usd: number): number {
  if (Number.isNaN(usd)) return usd;
  const decade = Math.floor(Math.log10(usd));
  // Parsing gives the double nearest to the decimal edge.
  const steps = [decade - 1, decade, decade + 1].flatMap((power) =>
    [1, 2, 5].map((digit) => Number(`${digit}e${power}`)),
  );
  return steps.findLast((step) => step <= usd) as number;
}

/** The next of these steps after the one that {@link stepBelow} gives. */
export function stepAbove(usd: number): number {
  const below = stepBelow(usd);
  if (Number.isNaN(below)) return below;
  const [digit, power] = below.toExponential().split('e') as [string, string];
  return digit === '1' ? Number(`2e${power}`) : digit === '2' ? Number(`5e${power}`) : Number(`1e${Number(power) + 1}`);
}
