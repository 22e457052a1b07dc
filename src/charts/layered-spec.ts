import type { TopLevelSpec } from 'vega-lite';
import { UsageError } from '../errors.js';
import { axesTogether } from './axes-together.js';
import { linesTogether } from './lines-together.js';

/** What stays with the whole chart where it becomes a layer. */
const OF_THE_WHOLE = ['$schema', 'title', 'description', 'width', 'height', 'autosize', 'config', 'usermeta'] as const;

/**
 * Charts drawn over each other on the same axes; title, size, theme and the look of the axes are the first one's.
 *
 * @throws {UsageError} If one of them has views beside each other, such as a facet, or their axes have nothing in common.
 */
export function layeredSpec(specs: readonly TopLevelSpec[]): TopLevelSpec {
  const [first] = specs;
  const whole = Object.fromEntries(OF_THE_WHOLE.map((key) => [key, first && Reflect.get(first, key)]));
  const kept = Object.entries(whole).filter(([, value]) => value !== undefined);
  const { layers, resolve } = axesTogether(linesTogether(specs.map(layerOf)));
  return { ...Object.fromEntries(kept), layer: layers, ...(resolve && { resolve }) } as TopLevelSpec;
}

function layerOf(spec: TopLevelSpec): object {
  if (!('mark' in spec) && !('layer' in spec)) {
    throw new UsageError(
      'A chart of several views, such as a facet, cannot be layered: layer what is in each of them.',
    );
  }
  const entries = Object.entries(spec).filter(([key]) => !(OF_THE_WHOLE as readonly string[]).includes(key));
  return Object.fromEntries(entries);
}
