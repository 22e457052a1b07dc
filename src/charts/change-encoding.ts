/** A copy of a view with the encodings of a channel changed, in its layers too. */
export function changeEncoding(view: object, channel: string, change: (encoding: object) => object): object {
  const changed = Object.entries(view).map(([key, value]: [string, unknown]) => {
    if (key === 'layer' && Array.isArray(value))
      return [key, value.map((part) => changeEncoding(part, channel, change))];
    const own: unknown = key === 'encoding' ? Reflect.get(Object(value), channel) : undefined;
    return own === undefined ? [key, value] : [key, { ...Object(value), [channel]: change(Object(own)) }];
  });
  return Object.fromEntries(changed);
}
