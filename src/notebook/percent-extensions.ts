/** The extensions of files in percent format. */
export const PERCENT_EXTENSIONS: readonly string[] = ['.ts', '.mts', '.js', '.mjs'];
