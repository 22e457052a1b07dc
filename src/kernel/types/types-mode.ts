/** The consequence of type errors: nothing, text under the cell, or a cell that does not run. */
export const TYPES_MODES = ['off', 'warn', 'block'] as const;

/** One of {@link TYPES_MODES}. */
export type TypesMode = (typeof TYPES_MODES)[number];
