import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const typeTests = join(root, 'test', 'types');
const folder = mkdtempSync(join(tmpdir(), 'oddslab-types-'));
const EXPECTATION = /^ *\/\/ @ts-expect-error.*$/gm;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the installed compiler says of the type tests, changed as given. */
function compile(change: (source: string) => string): { status: number | null; errors: string[] } {
  const names = readdirSync(typeTests).filter((name) => name.endsWith('.ts'));
  for (const name of names) {
    const source = readFileSync(join(typeTests, name), 'utf8').replaceAll("'../../src/", `'${root}/src/`);
    writeFileSync(join(folder, name), change(source));
  }
  const compilerOptions = { typeRoots: [join(root, 'node_modules', '@types')] };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files: names }),
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const ours = names.map((name) => `${name}(`);
  return { status, errors: stdout.split('\n').filter((line) => ours.some((name) => line.startsWith(name))) };
}

test('the type tests compile, and are compiled by tsc -p .', () => {
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as { include: string[] };
  expect(include).toContain('test');
  expect(compile((source) => source).errors).toEqual([]);
});

test('every error that a type test expects is one: without the expectations each line of them fails', () => {
  let expected = 0;
  const { status, errors } = compile((source) => {
    expected += source.match(EXPECTATION)?.length ?? 0;
    return source.replace(EXPECTATION, '//');
  });
  expect(expected).toBeGreaterThan(30);
  expect(new Set(errors.map((line) => line.slice(0, line.indexOf(',')))).size).toBe(expected);
  expect(status).not.toBe(0);
});

test('a type that is not the one stated fails', () => {
  const { errors } = compile((source) =>
    source.replace('same<typeof totals, Float64Array>', 'same<typeof totals, number>'),
  );
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('group-by.test-d.ts');
});

test('a filter that there is not is told by the name of its type', () => {
  const { errors } = compile((source) => source.replace(EXPECTATION, '//'));
  const told = errors.filter((line) => line.startsWith('filters.test-d.ts')).join('\n');
  expect(told).toContain("'close' does not exist in type 'MarketFilters'");
  expect(told).toContain("'closed' does not exist in type 'LifetimeFilters'");
  expect(told).toContain("'walet' does not exist in type 'PnlFilters<\"market\">'");
  expect(told).toMatch(/Type '"markets"' is not assignable to type 'PnlGroup \| undefined'/);
  expect(told).not.toContain('TS2769');
});
