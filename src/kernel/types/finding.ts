/** A finding of the type checker, with offsets in the cell (UTF-16 units). */
export interface Finding {
  code: number;
  message: string;
  start: number;
  end: number;
  /** Whether only the cell's text shows it, so that the types must confirm it. */
  isSuspected?: boolean;
}

/** `var` twice, with another type. */
export const OTHER_TYPE = 2403;
/** Values that may be null or undefined. */
export const NULLISH = new Set([2531, 2532, 2533, 18047, 18048, 18049, 2721, 2722, 2723]);
/** A member that is missing where one is written nearly so. */
export const NEARLY = 2551;
export const NO_MEMBER = new Set([2339, 2551, 2812]);
export const ARITHMETIC = new Set([2356, 2362, 2363, 2365]);
export const BY_KEY = 7053;
/** What a class extends has no constructor, as far as the types tell. */
export const NO_BASE = 2507;
/** A member of a class that does not fit that of the class it extends. */
export const OTHER_MEMBER = 2416;
export const NOT_ASSIGNABLE = new Set([2322, 2345, 2353, 2559, 2561, 2739, 2740, 2741, 2769]);
export const COUNT = new Set([2554, 2555]);
/** No value in common, in a comparison and in a `case`. */
export const NO_OVERLAP = new Set([2367, 2678]);
/** A function as a condition. */
export const ALWAYS_DEFINED = 2774;
/** `this` of a function within a method. */
export const OTHER_THIS = 2683;
export const NO_NAME = new Set([2304, 2552]);
/** A decorator that gives something else than it decorates. */
export const OTHER_CLASS = 1270;
