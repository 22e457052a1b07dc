import { isDeepStrictEqual } from 'node:util';

/** The mark of a layer of points that only catch the pointer to show tips. */
export const INVISIBLE = { type: 'point', opacity: 0, size: 160 } as const;

/** A specification without its layers of {@link INVISIBLE} points, which a still picture does not need. */
export function withoutTips(spec: object): object {
  return prune(spec);
}

function prune(node: object): object {
  const entries = Object.entries(node).map(([key, value]: [string, unknown]) => {
    if (key === 'spec' && typeof value === 'object' && value !== null) return [key, prune(value)];
    const isPart = (key === 'layer' || /^[hv]?concat$/.test(key)) && Array.isArray(value);
    return [key, isPart ? value.filter((part) => !isDeepStrictEqual(part?.mark, INVISIBLE)).map(prune) : value];
  });
  return Object.fromEntries(entries);
}
