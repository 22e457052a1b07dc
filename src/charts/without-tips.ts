import type { TopLevelSpec } from 'vega-lite';

/** Name of a layer of invisible points that only catch the pointer, for tips. */
export const TIPS = 'tips';

/** A specification without its layers of {@link TIPS}, which a still picture has no use for. */
export function withoutTips(spec: TopLevelSpec): TopLevelSpec {
  return prune(spec) as TopLevelSpec;
}

function prune(node: object): object {
  const entries = Object.entries(node).map(([key, value]: [string, unknown]) => {
    if (key === 'spec' && typeof value === 'object' && value !== null) return [key, prune(value)];
    const isPart = (key === 'layer' || /^[hv]?concat$/.test(key)) && Array.isArray(value);
    return [key, isPart ? value.filter((part) => part?.name !== TIPS).map(prune) : value];
  });
  return Object.fromEntries(entries);
}
