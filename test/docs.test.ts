import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generatedDocs, publicExports } from '../scripts/docs.js';
import { packageRoot } from '../src/base/packages.js';
import { createProgram } from '../src/cli/program.js';
import { frameFromRecords } from '../src/frame/decode/frame-from-records.js';
import { recordsOf } from '../src/frame/tabular/column-values.js';
import { count, groupBy, sortBy, withColumns } from '../src/index.js';
import { startRunner } from '../src/kernel/runner-process.js';
import type { OutputEvent } from '../src/kernel/wire/runner.js';
import { ingest } from '../src/service/ingest/ingest-inputs.js';
import { simulate } from '../src/service/sample/simulate-sample.js';
import { type Service, serve } from '../src/service/serve-folder.js';

const root = packageRoot();
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const pages = ['README.md', 'HOW_IT_WORKS.md', ...docs.map((name) => `docs/${name}`)];
const read = (page: string) => readFileSync(join(root, page), 'utf8');
const everything = pages.map(read).join('\n');

test.each(Object.entries(await generatedDocs()))('%s is what npm run docs makes', (path, text) => {
  expect(read(path)).toBe(text);
});

test('every export, command and option stands in the documentation', async () => {
  const program = await createProgram();
  const commands = program.commands.flatMap((command) => [command, ...command.commands]);
  const hidden = 'oddslab fetch check';
  expect(read('docs/commands.md')).not.toContain(hidden);
  const wanted = [
    ...publicExports().map(({ name }) => name),
    ...commands.map(
      (command) => `oddslab ${command.parent === program ? '' : `${command.parent?.name()} `}${command.name()}`,
    ),
    ...commands.flatMap((command) => command.options.map((option) => option.long ?? option.flags)),
  ];
  expect(wanted.length).toBeGreaterThan(60);
  expect(wanted.filter((name) => !everything.includes(name))).toEqual([hidden]);
});

test.each([
  ['analysis', 'docs/measures.md'],
  ['charts', 'docs/charts.md'],
])('every function of %s stands in %s', (room, page) => {
  const index = readFileSync(join(root, 'src/index.ts'), 'utf8');
  const lines = [...index.matchAll(new RegExp(`^export \\{ ([^}]*) \\} from '\\./${room}/`, 'gm'))];
  const names = lines.flatMap(([, list = '']) => list.split(', ').filter((name) => /^(?!type )[a-z]\w+$/.test(name)));
  expect(names.length).toBeGreaterThan(12);
  const isHelper = (name: string) => name.startsWith('format');
  expect(names.filter((name) => !isHelper(name) && !read(page).includes(`\`${name}`))).toEqual([]);
});

test('every environment variable of the sources stands in the README, those of the service in its page', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.includes('node_modules'),
  );
  const text = sources.map((name) => readFileSync(join(root, 'src', name), 'utf8')).join('\n');
  const variables = new Set(text.match(/\b(?:ODDSLAB_[A-Z_]+|NO_COLOR|FORCE_COLOR)\b/g));
  expect(variables.size).toBeGreaterThan(3);
  const page = (name: string) => (name.startsWith('ODDSLAB_SERVE_') ? 'docs/operation.md' : 'README.md');
  const isNamed = (name: string) => read(page(name)).includes(`\`${name}`);
  expect([...variables].filter((name) => !isNamed(name))).toEqual([]);
});

test('links between the pages lead somewhere, those with # to a heading', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)/g)].flatMap(([, target = '', anchor = '']) => {
      const path = target ? join(dirname(page), target) : page;
      const isThere = existsSync(join(root, path)) && (!anchor || anchorsOf(path).includes(anchor));
      return isThere ? [] : [`${page}: ${target}#${anchor}`];
    }),
  );
  expect(broken).toEqual([]);
});

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every file of ours that HOW_IT_WORKS.md names is there', () => {
  const ours = ['scripts', 'src', 'test', 'vendor'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `/${folder}/${name}`),
  );
  const named = [...read('HOW_IT_WORKS.md').matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !ours.some((path) => path.endsWith(`/${name}`)))).toEqual([]);
});

test('every oddslab line of a shell example names commands and options that there are', async () => {
  const program = await createProgram();
  const lines = [...everything.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.split('\n'));
  const commands = lines.flatMap((line) => line.split('&&'));
  const calls = commands.flatMap((line) => /\boddslab (?!COMMAND)([^#)]*)/.exec(line)?.[1] ?? []);
  expect(calls.length).toBeGreaterThan(5);
  const unknown = calls.flatMap((call) => {
    const [name = '', ...words] = call.trim().split(/\s+/);
    const outer = program.commands.find((command) => command.name() === name);
    const command = outer?.commands.find((inner) => inner.name() === words[0]) ?? outer;
    if (!command) return [call];
    // `fetch --check` is a subcommand that is called by its option.
    if (name === 'fetch' && words[0] === '--check') return [];
    // Filters of `query` are options of its dataset: its own test covers them.
    const known = [...command.options.map((option) => option.long), ...(name === 'query' ? words : [])];
    return words.filter((word) => word.startsWith('--') && !known.includes(word)).map((word) => `${call}: ${word}`);
  });
  expect(unknown).toEqual([]);
});

test('the backup takes what cannot be made again, and nothing of the versions or of an ingest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oddslab-backup-'));
  const data = join(folder, 'data');
  for (const name of ['accounts', 'dashboard', 'keys', 'staging', 'versions']) {
    mkdirSync(join(data, name), { recursive: true });
    writeFileSync(join(data, name, 'a'), '');
  }
  for (const name of ['current', 'ingest.lock']) writeFileSync(join(data, name), '');
  const [, options = ''] = /^tar (.*) -C \S+ -czf odds-keys\.tgz \.$/m.exec(read('docs/deploying.md')) ?? [];
  const archive = join(folder, 'odds-keys.tgz');
  execFileSync('tar', [...options.split(' '), '-C', data, '-czf', archive, '.']);
  const listed = execFileSync('tar', ['-tf', archive], { encoding: 'utf8' }).split('\n');
  rmSync(folder, { recursive: true });
  expect(listed.filter((name) => /[^/]$/.test(name)).sort()).toEqual([
    './accounts/a',
    './current',
    './dashboard/a',
    './keys/a',
  ]);
});

describe('the examples', () => {
  const examplesOf = (page: string) =>
    [...read(page).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  // Each example of the README stands alone; those of another page follow one on the other, as the cells of a notebook.
  const alone = examplesOf('README.md').map((code) => [code]);
  const consecutive = [
    'docs/client.md',
    'docs/frames.md',
    'docs/how-do-i.md',
    'docs/snapshots.md',
    'docs/measures.md',
    'docs/charts.md',
    'docs/tear-sheet.md',
  ];
  const folder = mkdtempSync(join(tmpdir(), 'oddslab-docs-'));
  let service: Service;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const sample = await simulate({ out: join(folder, 'sample'), markets: 60, wallets: 20, fills: 3000 });
    const { version } = await ingest({ folder, inputs: sample.files });
    service = await serve({ folder, port: 0, open: true });
    const wallets = version.manifest.busiest.join(',');
    env = {
      ...process.env,
      ODDSLAB_URL: service.url,
      ODDSLAB_DATA: folder,
      ODDSLAB_OUT: folder,
      ODDSLAB_WALLETS: wallets,
    };
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  async function run(cells: readonly string[], { asWritten = false } = {}): Promise<string[]> {
    const runner = startRunner({ cwd: folder, env });
    const shown: string[] = [];
    for (const written of cells) {
      // In a cell, a semicolon at the end would silence the value.
      const code = asWritten ? written : written.replace(/;(\s*(?:\/\/[^\n]*\s*)?)$/, '$1');
      const onOutput = (event: OutputEvent) => shown.push(event.type === 'stream' ? event.name : event.type);
      expect(await runner.execute(code, { onOutput })).toEqual({ status: 'ok' });
    }
    await runner.close();
    return shown;
  }

  test('there are some', () => {
    expect(alone.length).toBeGreaterThanOrEqual(2);
    for (const page of consecutive) expect(examplesOf(page).length, page).toBeGreaterThanOrEqual(1);
  });
  test('docs/how-do-i.md has forty questions at least, each with an answer that runs', () => {
    const questions = read('docs/how-do-i.md')
      .split(/^\*\*\d+\. /m)
      .slice(1);
    const answered = questions.filter((question) => /^```(?:ts|sh)$/m.test(question) && /\?\*\*/.test(question));
    expect(answered.length).toBeGreaterThanOrEqual(40);
    expect(questions.length - answered.length).toBeLessThanOrEqual(1);
    // Each stands alone: what another answer declares, a reader need not have.
    const codes = answered.map((answer) => /^```ts\n([\s\S]*?)^```/m.exec(answer)?.[1] ?? '');
    const declared = codes.map((answer) => [...answer.matchAll(/^const (?:\[)?(\w+)/gm)].map(([, name]) => name));
    const borrowed = codes.flatMap((answer, at) =>
      declared.flatMap((names, other) => {
        const code = other === at ? '' : answer.replaceAll(/\/\/.*|'[^'\n]*'|`[^`]*`/g, '');
        return names.filter((name) => new RegExp(`(?<![.\\w])${name}(?![\\w:])`).test(code));
      }),
    );
    expect(borrowed).toEqual([]);
  });
  test('docs/how-do-i.md counts fills by the hour of the day that clocks in New York have', () => {
    const answer = /hour of the day, in New York[^\n]*\n\n```ts\n([\s\S]*?)```/.exec(read('docs/how-do-i.md'))?.[1];
    const shown = answer?.replace(/^(?=sortBy\()/m, 'return ') ?? '';
    // In winter New York is five hours behind UTC, in summer four: midnight, one and eleven in the evening.
    const times = ['2026-01-15T05:30:00Z', '2026-07-15T04:59:59Z', '2026-07-16T05:00:00Z', '2026-01-15T04:59:59Z'];
    const trades = frameFromRecords(
      [],
      times.map((timestamp) => ({ timestamp })),
    );
    const run = new Function('trades', 'withColumns', 'groupBy', 'count', 'sortBy', shown);
    expect(recordsOf(run(trades, withColumns, groupBy, count, sortBy))).toEqual([
      { hour: 0, fills: 2 },
      { hour: 1, fills: 1 },
      { hour: 23, fills: 1 },
    ]);
  });
  test.each(alone.map((cells, at) => [at, cells] as const))('example %i of the README runs', async (_, cells) => {
    // As a reader copies it: it prints its answer, or ends in one that is shown.
    expect((await run(cells, { asWritten: true })).some((type) => type === 'result' || type === 'stdout')).toBe(true);
  });
  test.each(consecutive)('those of %s run', async (page) => {
    expect(await run(examplesOf(page))).toContain('result');
  });
});
