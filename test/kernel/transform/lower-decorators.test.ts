import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loweredSyntax } from '../../../src/kernel/runner/cell-runtime.js';
import { defineMetadataSymbol } from '../../../src/kernel/runner/decorated-class.js';
import { stripTypes } from '../../../src/kernel/transform/strip-types.js';
import { BEYOND, PRELUDE, PROGRAMS } from './decorator-programs.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-decorators-'));
const names = Object.keys(PROGRAMS);

function fileOf(name: string, extension: string): string {
  return join(folder, `${names.indexOf(name)}.${extension}`);
}

/** What JavaScript tells by `log`, and the error in which it ends. */
function told(code: string): string {
  const lines: string[] = [];
  const log = (...values: unknown[]): void => void lines.push(inspect(values, { depth: 5, breakLength: 200 }));
  try {
    new Function('log', 'babelHelpers', `'use strict';${code}`)(log, loweredSyntax);
  } catch (error) {
    log('failed', String(error));
  }
  return lines.join('\n');
}

function lowered(source: string): string {
  const stripped = stripTypes(source, { filename: 'program.ts', lang: 'ts', keepImports: true });
  if ('fault' in stripped) throw new Error(`${stripped.fault.message} ${JSON.stringify(stripped.fault.position)}`);
  return stripped.code;
}

beforeAll(() => {
  defineMetadataSymbol();
  for (const name of names) writeFileSync(fileOf(name, 'ts'), PRELUDE + PROGRAMS[name]);
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const files = names.map((name) => fileOf(name, 'ts'));
  const flags = [
    '--ignoreConfig',
    '--target',
    'es2022',
    '--module',
    'esnext',
    '--moduleDetection',
    'legacy',
    '--noCheck',
  ];
  execFileSync(process.execPath, [compiler, ...flags, ...files], { cwd: folder });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

describe('standard decorators mean what TypeScript compiles them to', () => {
  it.each(names)('%s', (name) => {
    const byTypeScript = told(readFileSync(fileOf(name, 'js'), 'utf8'));
    expect(byTypeScript).not.toContain('failed');
    expect(told(lowered(PRELUDE + PROGRAMS[name]))).toBe(byTypeScript);
  });
});

describe('standard decorators where TypeScript itself falls short', () => {
  it.each(Object.entries(BEYOND))('%s', (_, { source, told: expected }) => {
    expect(told(lowered(PRELUDE + source))).toBe(expected);
  });
});

describe('what standard decorators cannot do is refused', () => {
  const fault = (source: string) => {
    const stripped = stripTypes(source, { filename: 'program.ts', lang: 'ts', keepImports: true });
    return 'fault' in stripped ? stripped.fault : undefined;
  };

  it.each([
    [
      'class A {\n  m(@dec x: number) {}\n}',
      /cannot stand before parameters.*experimentalDecorators/,
      { line: 2, column: 5 },
    ],
    [
      'class A {\n  constructor(@dec private x: number) {}\n}',
      /cannot stand before parameters/,
      { line: 2, column: 15 },
    ],
    ['function* f() {\n  @(yield 1) class A {}\n}', /yield cannot stand/, { line: 2, column: 5 }],
  ])('%s', (source, message, position) => {
    expect(fault(source)).toEqual({ message: expect.stringMatching(message), position });
  });

  it('leaves a text without decorators as it is', () => {
    const code = 'const mail = "a@b.c"; class A { accessor() {} }';
    expect(lowered(code).replace(/\s+/g, ' ').trim()).toBe(code.replace('accessor() {}', 'accessor() {}'));
  });
});
