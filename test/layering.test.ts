import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';

const source = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src');

/** What a file imports, by its path below src. */
type Imports = ReadonlyMap<string, readonly string[]>;

/**
 * Whom each folder may import besides itself; the folders of `src/`, two levels deep. They form no circle,
 * types included, and each arrow is in use.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  contract: ['base'],
  'frame/vector': ['base', 'contract'],
  'frame/tabular': ['base', 'contract', 'frame/vector'],
  'frame/csv': ['base', 'contract', 'frame/vector', 'frame/tabular'],
  'frame/display': ['base', 'contract', 'frame/vector', 'frame/tabular'],
  'frame/danfo': ['base', 'contract', 'frame/vector', 'frame/tabular', 'frame/csv', 'frame/display'],
  'frame/decode': ['base', 'contract', 'frame/vector', 'frame/tabular', 'frame/danfo'],
  'frame/sql': ['base', 'contract', 'frame/vector', 'frame/tabular', 'frame/danfo'],
  'frame/files': [
    'base',
    'contract',
    'frame/vector',
    'frame/tabular',
    'frame/csv',
    'frame/danfo',
    'frame/decode',
    'frame/sql',
  ],
  'frame/verbs': ['base', 'contract', 'frame/vector', 'frame/tabular', 'frame/danfo'],
  fetch: ['base'],
  'client/transport': ['base', 'frame/decode'],
  'client/paging': [
    'base',
    'contract',
    'frame/vector',
    'frame/tabular',
    'frame/danfo',
    'frame/decode',
    'client/transport',
  ],
  'client/snapshot': ['base', 'contract', 'frame/decode', 'client/transport', 'client/paging'],
  client: [
    'base',
    'contract',
    'frame/tabular',
    'frame/csv',
    'frame/decode',
    'client/transport',
    'client/paging',
    'client/snapshot',
  ],
  'analysis/statistics': ['base', 'frame/verbs'],
  'analysis/records': [
    'base',
    'contract',
    'frame/vector',
    'frame/tabular',
    'frame/danfo',
    'frame/verbs',
    'analysis/statistics',
  ],
  analysis: [
    'base',
    'contract',
    'frame/vector',
    'frame/tabular',
    'frame/danfo',
    'frame/verbs',
    'analysis/statistics',
    'analysis/records',
  ],
  'charts/design': ['base', 'contract', 'frame/vector', 'frame/tabular', 'frame/display', 'analysis/records'],
  'charts/drawing': ['base', 'frame/tabular', 'frame/display', 'charts/design'],
  charts: [
    'base',
    'contract',
    'frame/vector',
    'frame/tabular',
    'frame/display',
    'frame/danfo',
    'frame/verbs',
    'analysis/statistics',
    'analysis/records',
    'analysis',
    'charts/design',
    'charts/drawing',
  ],
  report: [
    'base',
    'contract',
    'frame/tabular',
    'frame/display',
    'frame/danfo',
    'frame/verbs',
    'client',
    'analysis/statistics',
    'analysis/records',
    'analysis',
    'charts/drawing',
  ],
  'kernel/transform': [],
  'kernel/wire': [],
  'kernel/zmtp': [],
  'kernel/display': ['base', 'kernel/wire'],
  'kernel/parameters': ['base', 'kernel/transform'],
  'kernel/protocol': ['base', 'kernel/wire', 'kernel/zmtp'],
  'kernel/types': ['base', 'kernel/transform'],
  'kernel/install': ['base', 'kernel/types'],
  'kernel/variables': ['base', 'kernel/wire'],
  'kernel/runner': ['base', 'kernel/transform', 'kernel/wire', 'kernel/display', 'kernel/variables'],
  'kernel/session': ['base', 'kernel/transform', 'kernel/wire', 'kernel/protocol', 'kernel/types'],
  kernel: ['base', 'kernel/wire', 'kernel/protocol', 'kernel/types', 'kernel/session'],
  'notebook/format': ['base', 'kernel/transform'],
  'notebook/check': ['base', 'notebook/format'],
  'notebook/export': ['base', 'charts/drawing', 'notebook/format'],
  'notebook/parameters': ['base', 'kernel/parameters', 'notebook/format'],
  notebook: ['kernel/wire', 'kernel/types', 'kernel', 'notebook/format', 'notebook/check'],
  'service/folder': ['base'],
  'service/accounts': ['base', 'service/folder'],
  'service/ledger': ['contract'],
  'service/openapi': ['contract'],
  'service/sample': ['base', 'contract'],
  'service/settings': ['base', 'contract', 'service/accounts'],
  'service/store': ['base', 'contract', 'service/folder'],
  'service/http': ['base', 'contract', 'service/settings'],
  'service/ingest': ['base', 'contract', 'service/folder', 'service/ledger', 'service/sample', 'service/store'],
  'service/clickhouse': ['base', 'contract', 'service/store', 'service/http'],
  'service/operation': ['service/accounts', 'service/settings', 'service/store', 'service/http'],
  'service/cluster': ['base', 'service/folder', 'service/store', 'service/http', 'service/clickhouse'],
  'service/query': [
    'base',
    'contract',
    'service/accounts',
    'service/settings',
    'service/store',
    'service/http',
    'service/operation',
  ],
  'service/web': ['base', 'contract', 'service/accounts', 'service/openapi', 'service/http', 'service/operation'],
  'service/workers': ['base', 'service/settings', 'service/operation'],
  service: [
    'base',
    'contract',
    'service/folder',
    'service/accounts',
    'service/openapi',
    'service/settings',
    'service/store',
    'service/http',
    'service/clickhouse',
    'service/operation',
    'service/cluster',
    'service/query',
    'service/web',
    'service/workers',
  ],
  '.': [
    'base',
    'contract',
    'frame/tabular',
    'frame/csv',
    'frame/display',
    'frame/danfo',
    'frame/decode',
    'frame/sql',
    'frame/files',
    'frame/verbs',
    'client/transport',
    'client/snapshot',
    'client',
    'analysis/records',
    'analysis',
    'charts/design',
    'charts/drawing',
    'charts',
    'report',
  ],
  page: [
    'base',
    'kernel/wire',
    'kernel/protocol',
    'kernel/install',
    'kernel/session',
    'kernel',
    'notebook/export',
    'notebook/format',
  ],
  cli: [
    'base',
    'fetch',
    'contract',
    'frame/tabular',
    'frame/csv',
    'frame/display',
    'frame/files',
    'frame/verbs',
    'client/snapshot',
    'client',
    'report',
    'kernel/transform',
    'kernel/types',
    'kernel/install',
    'notebook/format',
    'notebook/check',
    'notebook/export',
    'notebook/parameters',
    'notebook',
    'page',
    'service/folder',
    'service/accounts',
    'service/sample',
    'service/settings',
    'service/store',
    'service/ingest',
    'service/clickhouse',
    'service/operation',
    'service/cluster',
    'service/web',
    'service',
    '.',
  ],
};

/** The one home, or two, of each heavy dependency. */
const HOMES: readonly [RegExp, readonly string[]][] = [
  [/^@duckdb\//, ['base/duckdb.ts', 'service/store/', 'frame/sql']],
  // Bun has a stand-in of its own under the plain name.
  [/^undici$/, []],
  [/^undici\//, ['base/http-pool.ts', 'client/', 'fetch/']],
  [/^(#danfo|danfojs)/, ['frame/']],
  [/^@uwdata\/flechette$/, ['frame/']],
  [/^(vega|@resvg\/)/, ['charts/']],
  [/^(oxc-|typescript$)/, ['kernel/']],
  [/^@?hono/, ['service/', 'page/']],
  [/^ws$/, ['page/']],
  [/^(pino|prom-client)$/, ['service/operation/']],
  [/^nodemailer$/, ['service/web/']],
  [/^fzstd$/, ['service/ingest/', 'frame/files/']],
  [/^yaml$/, ['notebook/']],
  [/^commander$/, ['cli/']],
];

/** The folder that a file lies in; `.` for those directly in `src/`. */
function folderOf(file: string): string {
  return posix.dirname(file);
}

/** Every breach of the layering rule, as a sentence each. */
function breaches(imports: Imports, mayImport = MAY_IMPORT): string[] {
  return [...imports].flatMap(([file, targets]) => [
    ...targets.flatMap((target) => breachOf(file, target, mayImport)),
    ...(folderOf(file) in mayImport ? [] : [`${file} is in no folder of the house`]),
  ]);
}

function breachOf(file: string, target: string, mayImport: typeof MAY_IMPORT): string[] {
  if (!target.endsWith('.ts')) {
    const home = HOMES.find(([name]) => name.test(target))?.[1];
    const atHome = home === undefined || home.some((place) => file.startsWith(place));
    return atHome ? [] : [`${file} imports ${target}, whose home is ${home.join(' or ') || 'nowhere'}`];
  }
  const [from, to] = [folderOf(file), folderOf(target)];
  if (from === to || mayImport[from]?.includes(to)) return [];
  return [`${file} imports ${target}: ${from} may import ${mayImport[from]?.join(', ') || 'no other folder'}`];
}

/** What imports what, from folder to folder. */
function foldersOf(imports: Imports): Imports {
  const folders = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const found = folders.get(folderOf(file)) ?? new Set();
    for (const target of targets)
      if (target.endsWith('.ts') && folderOf(target) !== folderOf(file)) found.add(folderOf(target));
    folders.set(folderOf(file), found);
  }
  return new Map([...folders].map(([folder, targets]) => [folder, [...targets].sort()]));
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

/** Of all files but the notebook page's front end, a package of its own that runs in browsers. */
function allImports(options: { types: boolean }): Imports {
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const ours = names.filter((name) => !name.startsWith('page/front/'));
  const files = ours.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts')).sort();
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(join(source, file), 'utf8'), options)]));
}

it('reads the imports that there are', () => {
  const imports = allImports({ types: true });
  expect(imports.get('client/transport/wire.ts')).toEqual(
    expect.arrayContaining(['undici/index.js', 'base/stop-and-wait.ts', 'client/transport/read-answer.ts']),
  );
  expect(imports.get('service/store/database.ts')).toContain('@duckdb/node-api');
  expect(imports.get('index.ts')).toContain('client/connect.ts');
  for (const target of [...imports.values()].flat().filter((name) => name.endsWith('.ts'))) {
    expect(existsSync(join(source, target)) || existsSync(join(source, target.replace(/ts$/, 'd.ts'))), target).toBe(
      true,
    );
  }
});

it('holds the layering rule, by a list without an arrow that is not in use', () => {
  const imports = allImports({ types: true });
  expect(breaches(imports)).toEqual([]);
  const listed = Object.entries(MAY_IMPORT).map(([folder, targets]) => [folder, [...targets].sort()]);
  expect(new Map(listed as [string, string[]][])).toEqual(foldersOf(imports));
});

it('has no folder deeper than two levels', () => {
  expect(Object.keys(MAY_IMPORT).filter((folder) => folder.split('/').length > 2)).toEqual([]);
});

it('has no import cycle of files, and none of folders, types included', () => {
  expect(cycleOf(allImports({ types: false }))?.join(' → ')).toBeUndefined();
  expect(cycleOf(new Map(Object.entries(MAY_IMPORT)))?.join(' → ')).toBeUndefined();
});

it('would find each kind of breach', () => {
  const mayImport = {
    base: [],
    contract: ['base'],
    'frame/sql': ['contract'],
    service: ['contract'],
    client: ['frame/sql'],
  };
  const table: Imports = new Map([
    ['contract/a.ts', ['frame/sql/b.ts', 'base/e.ts', 'zod']],
    ['frame/sql/b.ts', ['vega-lite', '#danfo']],
    ['service/c.ts', ['client/d.ts', 'contract/a.ts', '@duckdb/node-api']],
    ['client/d.ts', ['service/c.ts', 'undici', 'undici/index.js']],
    ['base/e.ts', ['contract/a.ts']],
    ['utils/f.ts', []],
  ]);
  expect(breaches(table, mayImport)).toEqual([
    'contract/a.ts imports frame/sql/b.ts: contract may import base',
    'frame/sql/b.ts imports vega-lite, whose home is charts/',
    'service/c.ts imports client/d.ts: service may import contract',
    'service/c.ts imports @duckdb/node-api, whose home is base/duckdb.ts or service/store/ or frame/sql',
    'client/d.ts imports service/c.ts: client may import frame/sql',
    'client/d.ts imports undici, whose home is nowhere',
    'base/e.ts imports contract/a.ts: base may import no other folder',
    'utils/f.ts is in no folder of the house',
  ]);
  expect(cycleOf(table)).toEqual(['contract/a.ts', 'base/e.ts', 'contract/a.ts']);
  expect(cycleOf(foldersOf(table))).toEqual(['contract', 'base', 'contract']);
  expect(foldersOf(table).get('client')).toEqual(['service']);
  const text = `import type { A } from './a.js'; import 'x'; export * from '../b.js'; const c = import('./c.js');`;
  expect(importsOf('frame/f.ts', text, { types: true })).toEqual(['frame/a.ts', 'x', 'b.ts', 'frame/c.ts']);
  expect(importsOf('frame/f.ts', text, { types: false })).toEqual(['x', 'b.ts', 'frame/c.ts']);
});
