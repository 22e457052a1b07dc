/** JupyterLab's extensions that the page consists of: written by bundle.mjs from the dependencies in package.json. */
declare module 'bundled:extensions' {
  const extensions: readonly {
    /** The package's name. */
    readonly name: string;
    /** Whether its plugins draw a kind of output or file, rather than extend the application. */
    readonly isMime: boolean;
    /** Its module: one plugin, or several, as its default export. */
    readonly module: { readonly default: unknown };
  }[];
  export default extensions;
}

/** The style sheets of these extensions. */
declare module 'bundled:styles' {}

declare module '*.css' {}

/** An SVG, as text. */
declare module '*.svg' {
  const text: string;
  export default text;
}
