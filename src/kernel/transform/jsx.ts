import type { ProjectOptions } from './project-options.js';

/** The languages of the parser. */
export type Lang = 'ts' | 'tsx' | 'js' | 'jsx';

/** How JSX becomes calls, in the terms of the transform. */
export interface JsxOptions {
  runtime: 'automatic' | 'classic';
  importSource?: string;
  pragma?: string;
  pragmaFrag?: string;
}

/** How the JSX of a text becomes calls: as its comments say, else as its tsconfig.json says, else by React or Preact. */
export function jsxOptions(source: string, { jsx }: Pick<ProjectOptions, 'jsx'>): JsxOptions {
  const said = pragmasIn(source);
  const runtime = said.jsxRuntime ?? (said.jsxImportSource ? 'automatic' : said.jsx ? 'classic' : jsx.runtime);
  if (runtime === 'classic') {
    const pragma = said.jsx ?? jsx.pragma;
    const pragmaFrag = said.jsxFrag ?? jsx.pragmaFrag;
    return { runtime, ...(pragma ? { pragma } : {}), ...(pragmaFrag ? { pragmaFrag } : {}) };
  }
  return { runtime: 'automatic', importSource: said.jsxImportSource ?? jsx.importSource };
}

/** The names that the JSX of a text stands for: `h` and `Fragment`, or `React`; empty where its import is automatic. */
export function jsxMakers(source: string, project: Pick<ProjectOptions, 'jsx'>): string[] {
  const { runtime, pragma = 'React', pragmaFrag = 'React' } = jsxOptions(source, project);
  return runtime === 'classic' ? [pragma, pragmaFrag].map((each) => each.split('.')[0] ?? each) : [];
}

/** The comments by which TypeScript takes the JSX of a cell as it runs; empty if it says nothing of its own. */
export function jsxComments(source: string): string {
  const { jsxRuntime, jsxImportSource, jsx, jsxFrag } = pragmasIn(source);
  const runtime = jsxRuntime ?? (jsx && !jsxImportSource ? 'classic' : undefined);
  const said = { jsxRuntime: runtime, jsxImportSource, jsx, jsxFrag };
  return Object.entries(said)
    .flatMap(([name, value]) => (value === undefined ? [] : [`/** @${name} ${value} */ `]))
    .join('');
}

type Pragma = 'jsxRuntime' | 'jsxImportSource' | 'jsx' | 'jsxFrag';

function pragmasIn(source: string): Partial<Record<Pragma, string>> {
  const comments = source.match(/\/\*[\s\S]*?\*\/|\/\/.*/g) ?? [];
  const found = comments.flatMap((each) => [...each.matchAll(/@(jsx(?:Runtime|ImportSource|Frag)?)\s+([^\s*]+)/g)]);
  return Object.fromEntries(found.map(([, name, value]) => [name, value]));
}
