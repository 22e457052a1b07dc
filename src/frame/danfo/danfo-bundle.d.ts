// The exports that scripts/build.mjs bundles into dist/vendor/danfo.js. The types that users see are in danfo.ts.
export const DataFrame: unknown;
export const Series: unknown;
