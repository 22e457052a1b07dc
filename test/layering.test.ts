import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';

const source = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src');

/** What a file imports, by its path below src. */
type Imports = ReadonlyMap<string, readonly string[]>;

/** Whom each room may import besides itself and what lies beneath all. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  frame: ['contract'],
  client: ['contract', 'frame'],
  analysis: ['contract', 'frame', 'client'],
  charts: ['contract', 'frame', 'client', 'analysis'],
  notebook: ['contract', 'frame', 'client', 'analysis', 'charts', 'kernel'],
  kernel: [],
  tslab: [],
  service: ['contract'],
  'lab.ts': ['contract', 'frame', 'client', 'analysis', 'charts'],
  'index.ts': ['contract', 'frame', 'client', 'analysis', 'charts', 'notebook', 'tslab', 'lab.ts'],
  cli: ['contract', 'frame', 'client', 'analysis', 'charts', 'notebook', 'kernel', 'service', 'lab.ts'],
};

/** What lies beneath all: imports nothing of ours but one another. */
const BENEATH = [
  'counted.ts',
  'errors.ts',
  'escape-html.ts',
  'json-copy.ts',
  'load-native.ts',
  'lock-file.ts',
  'make-folder.ts',
  'package-root.ts',
  'whole-file.ts',
  'without-escapes.ts',
];

/** The one home, or two, of each heavy dependency. */
const HOMES: readonly [RegExp, readonly string[]][] = [
  [/^@duckdb\//, ['service/store/', 'frame/sql']],
  // Bun has a stand-in of its own under the plain name.
  [/^undici$/, []],
  [/^undici\//, ['client/']],
  [/^(#danfo|danfojs)/, ['frame/']],
  [/^@uwdata\/flechette$/, ['frame/']],
  [/^(vega|@resvg\/)/, ['charts/']],
  [/^(oxc-|typescript$)/, ['kernel/']],
  [/^@?hono/, ['service/']],
  [/^(pino|prom-client)$/, ['service/operation/']],
  [/^nodemailer$/, ['service/dashboard/']],
  [/^fzstd$/, ['service/ingest/']],
  [/^yaml$/, ['notebook/']],
  [/^commander$/, ['cli/']],
];

function roomOf(file: string): string {
  return file.split('/', 1)[0] ?? file;
}

/** Every breach of the layering rule, as a sentence each. */
function breaches(imports: Imports): string[] {
  return [...imports].flatMap(([file, targets]) => [
    ...targets.flatMap((target) => breachOf(file, target)),
    ...(roomOf(file) in ROOMS || BENEATH.includes(file) ? [] : [`${file} is in no room of the house`]),
  ]);
}

function breachOf(file: string, target: string): string[] {
  if (!target.endsWith('.ts')) {
    const home = HOMES.find(([name]) => name.test(target))?.[1];
    const atHome = home === undefined || home.some((place) => file.startsWith(place));
    return atHome ? [] : [`${file} imports ${target}, whose home is ${home.join(' or ') || 'nowhere'}`];
  }
  const [from, to] = [roomOf(file), roomOf(target)];
  if (BENEATH.includes(file)) {
    return BENEATH.includes(target) ? [] : [`${file} lies beneath all, yet imports ${target}`];
  }
  if (from === to || BENEATH.includes(target) || ROOMS[from]?.includes(to)) return [];
  return [`${file} imports ${target}: ${from} may import ${ROOMS[from]?.join(', ') || 'no other room'}`];
}

/** One cycle of files, or undefined. */
function cycleOf(imports: Imports): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const target of imports.get(file) ?? []) {
      const cycle = visit(target, [...trail, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** Specifiers of a file's imports and re-exports, static and dynamic; those of ours as paths below src. */
function importsOf(file: string, text: string, { types }: { types: boolean }): string[] {
  const { module } = parseSync(file, text);
  const stated = [...module.staticImports, ...module.staticExports].flatMap((statement) => {
    const entries = statement.entries as readonly { isType: boolean; moduleRequest?: { value: string } | null }[];
    const names = 'moduleRequest' in statement ? [statement.moduleRequest.value] : [];
    const all = [...names, ...entries.flatMap((entry) => entry.moduleRequest?.value ?? [])];
    const typesAlone = entries.length > 0 && entries.every((entry) => entry.isType);
    return typesAlone && !types ? [] : all;
  });
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start, end));
  const literal = dynamic.flatMap((quoted) => /^(['"`])([^'"`$]+)\1$/.exec(quoted)?.[2] ?? []);
  return [...new Set([...stated, ...literal])].map((name) =>
    name.startsWith('.') ? posix.join(posix.dirname(file), name).replace(/\.js$/, '.ts') : name,
  );
}

function allImports(options: { types: boolean }): Imports {
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts')).sort();
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(join(source, file), 'utf8'), options)]));
}

it('reads the imports that there are', () => {
  const imports = allImports({ types: true });
  expect(imports.get('client/transport/open-wire.ts')).toEqual(
    expect.arrayContaining(['undici/index.js', 'errors.ts', 'client/transport/proxies-of.ts']),
  );
  expect(imports.get('service/store/database.ts')).toContain('@duckdb/node-api');
  expect(imports.get('index.ts')).toContain('client/connect.ts');
  for (const target of [...imports.values()].flat().filter((name) => name.endsWith('.ts'))) {
    expect(existsSync(join(source, target)) || existsSync(join(source, target.replace(/ts$/, 'd.ts'))), target).toBe(
      true,
    );
  }
});

it('holds the layering rule', () => {
  expect(breaches(allImports({ types: true }))).toEqual([]);
});

it('has no import cycle', () => {
  expect(cycleOf(allImports({ types: false }))?.join(' → ')).toBeUndefined();
});

it('would find each kind of breach', () => {
  const table: Imports = new Map([
    ['contract/a.ts', ['frame/b.ts', 'errors.ts', 'zod']],
    ['frame/b.ts', ['vega-lite', '#danfo']],
    ['service/c.ts', ['client/d.ts', 'contract/a.ts', '@duckdb/node-api']],
    ['client/d.ts', ['service/c.ts', 'undici', 'undici/index.js']],
    ['whole-file.ts', ['errors.ts', 'contract/a.ts']],
    ['utils/e.ts', []],
  ]);
  expect(breaches(table)).toEqual([
    'contract/a.ts imports frame/b.ts: contract may import no other room',
    'frame/b.ts imports vega-lite, whose home is charts/',
    'service/c.ts imports client/d.ts: service may import contract',
    'service/c.ts imports @duckdb/node-api, whose home is service/store/ or frame/sql',
    'client/d.ts imports service/c.ts: client may import contract, frame',
    'client/d.ts imports undici, whose home is nowhere',
    'whole-file.ts lies beneath all, yet imports contract/a.ts',
    'utils/e.ts is in no room of the house',
  ]);
  expect(cycleOf(table)).toEqual(['service/c.ts', 'client/d.ts', 'service/c.ts']);
  const text = `import type { A } from './a.js'; import 'x'; export * from '../b.js'; const c = import('./c.js');`;
  expect(importsOf('frame/f.ts', text, { types: true })).toEqual(['frame/a.ts', 'x', 'b.ts', 'frame/c.ts']);
  expect(importsOf('frame/f.ts', text, { types: false })).toEqual(['x', 'b.ts', 'frame/c.ts']);
});
