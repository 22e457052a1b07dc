/** Name of the script by which the watching thread asks the main thread to interrupt a cell. */
export const STRIKE_URL = 'oddslab:interrupt';

/** The global function that this script calls, with the cell's id and the number of earlier attempts. */
export const STRIKE = Symbol.for('oddslab.interrupt');

/** The global function by which the watching thread has the main thread send held output. */
export const SHOW = Symbol.for('oddslab.show');
