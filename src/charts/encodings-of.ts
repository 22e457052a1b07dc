/** All that a view and its layers encode along a channel such as `x` or `color`, the view's own first. */
export function encodingsOf(view: object, channel: string): unknown[] {
  const own: unknown = Reflect.get(Object(Reflect.get(view, 'encoding')), channel);
  const layers: unknown = Reflect.get(view, 'layer');
  const parts = Array.isArray(layers) ? layers.flatMap((layer) => encodingsOf(Object(layer), channel)) : [];
  return own === undefined ? parts : [own, ...parts];
}
