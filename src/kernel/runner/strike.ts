/** The name of the script by which the watching thread asks the main thread to end a cell. */
export const STRIKE_URL = 'oddslab:interrupt';

/** The global function that it calls there, with the cell's id and how often it has asked before. */
export const STRIKE = Symbol.for('oddslab.interrupt');

/** The global function by which it asks the main thread to send the output that it has gathered. */
export const SHOW = Symbol.for('oddslab.show');
