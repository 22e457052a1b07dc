import type { TopLevelSpec } from 'vega-lite';

/** Name of a layer of invisible points that only catch the pointer, for tips. */
export const TIPS = 'tips';

/** A specification without its layer of {@link TIPS}, which a still picture has no use for. */
export function withoutTips(spec: TopLevelSpec): TopLevelSpec {
  if (!('layer' in spec)) return spec;
  return { ...spec, layer: spec.layer.filter(({ name }) => name !== TIPS) };
}
