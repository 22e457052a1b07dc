/** Above this price of a closed market an outcome counts as the winner. */
export const WINS_ABOVE = 0.99;
/** Between these prices both outcomes of a closed market count as tied: sources may round a tie to 0.4995 and 0.5005. */
export const TIE = { least: 0.499, most: 0.501 } as const;
