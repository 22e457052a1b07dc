/** What a package exports. */
type Exports = Record<string, unknown>;
/** Loads a package of the notebook; undefined if it is not installed. */
type LoadPackage = (specifier: string) => Promise<Exports | undefined>;

/** Shows the elements that JSX makes: returns a promise of their HTML; undefined for every other value. */
export type RenderElement = (value: unknown) => Promise<string | undefined> | undefined;

interface Renderer {
  /** Whether a value is an element that it renders. */
  takes(value: object): boolean;
  specifier: string;
  /** The names, any of which its function may have. */
  names: string[];
}

const REACT = [Symbol.for('react.element'), Symbol.for('react.transitional.element')];

/** The server renderers, by what their elements have in common. */
const RENDERERS: readonly Renderer[] = [
  {
    takes: (value) => REACT.includes(Reflect.get(value, '$$typeof') as symbol),
    specifier: 'react-dom/server',
    names: ['renderToStaticMarkup'],
  },
  {
    // Preact keeps JSON out by a `constructor` that is undefined.
    takes: (value) => Object.hasOwn(value, 'constructor') && 'type' in value && 'props' in value && '__v' in value,
    specifier: 'preact-render-to-string',
    names: ['renderToStaticMarkup', 'render', 'default'],
  },
];

/**
 * Makes the function that renders elements of React and Preact, and lists of them, by the server renderer that is
 * installed beside the notebook; without one, they are shown as other values are. It rejects with whatever a component
 * throws.
 */
export function elementRenderer(load: LoadPackage): RenderElement {
  const render = async ({ specifier, names }: Renderer, value: object): Promise<string | undefined> => {
    const exported = await load(specifier);
    const whole = Object(exported?.default) as Exports;
    const found = names.map((name) => exported?.[name] ?? whole[name]).find((each) => typeof each === 'function');
    return typeof found === 'function' ? String(found(value)) : undefined;
  };
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    const renderer = RENDERERS.find(({ takes }) => isTaken(takes, value));
    if (!renderer) return undefined;
    const all: object[] = Array.isArray(value) ? value : [value];
    return Promise.all(all.map((each) => render(renderer, each))).then((parts) =>
      parts.includes(undefined) ? undefined : parts.join(''),
    );
  };
}

/** Whether a value is such an element, or a list of nothing else. */
function isTaken(takes: Renderer['takes'], value: object): boolean {
  try {
    if (!Array.isArray(value)) return takes(value);
    return value.length > 0 && value.every((each) => typeof each === 'object' && each !== null && takes(each));
  } catch {
    // A proxy may throw at unknown names.
    return false;
  }
}
