import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { packageRoot } from '../../../src/base/packages.js';
import { openTypeService } from '../../../src/kernel/types/open-type-service.js';
import type { TypeService } from '../../../src/kernel/types/type-service.js';
import { linkLibraries } from '../../support/libraries.js';

/** The notebooks of untyped exploration beside this file: `=== title`, then cells between lines of `---`. */
export function explorations(): [title: string, cells: string[]][] {
  const texts = join(import.meta.dirname, 'exploration');
  return readdirSync(texts).flatMap((file) =>
    readFileSync(join(texts, file), 'utf8')
      .split(/^=== /m)
      .slice(1)
      .map((text): [string, string[]] => {
        const [title = '', ...lines] = text.split('\n');
        return [`${file.replace('.txt', '')}: ${title}`, lines.join('\n').split(/^---\n/m)];
      }),
  );
}

/** Types for the tests of a file, anew for each of them, in a folder with the packages that these notebooks import. */
export function typesWithPackages(): { folder: string; types: TypeService } {
  const folder = mkdtempSync(join(tmpdir(), 'oddslab-exploration-'));
  const types = openTypeService({ folder });
  beforeAll(() => linkPackages(folder), 120_000);
  beforeEach(() => types.reset());
  afterAll(async () => {
    await types.close();
    rmSync(folder, { recursive: true });
  });
  return { folder, types };
}

/** Puts the packages that these notebooks import into a folder, ones without types among them. */
export function linkPackages(folder: string): void {
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, 'unknown-rows'), { recursive: true });
  for (const name of readdirSync(join(packageRoot(), 'node_modules')))
    if (name !== '.bin') symlinkSync(join(packageRoot(), 'node_modules', name), join(packages, name));
  writeFileSync(
    join(packages, 'unknown-rows/package.json'),
    '{"name": "unknown-rows", "version": "1.0.0", "types": "a.d.ts", "main": "a.js"}',
  );
  writeFileSync(
    join(packages, 'unknown-rows/a.d.ts'),
    'export function parse(text: string, options?: object): unknown[];',
  );
  writeFileSync(
    join(packages, 'unknown-rows/a.js'),
    `exports.parse = (text) => {
    const [head, ...lines] = text.trim().split('\\n').map((line) => line.split(','));
    return lines.map((line) => Object.fromEntries(line.map((v, i) => [head[i], Number.isNaN(Number(v)) ? v : Number(v)])));
  };`,
  );
  mkdirSync(join(packages, 'unknown-classes'), { recursive: true });
  writeFileSync(join(packages, 'unknown-classes/package.json'), '{"name": "unknown-classes", "version": "1.0.0"}');
  writeFileSync(
    join(packages, 'unknown-classes/index.js'),
    `class Model {
      static made = 1;
      constructor(o) { this.o = o; this.label = 'model'; this.heard = {}; }
      describe(x) { return x + this.label; }
      on(name, f) { this.heard[name] = f; return this; }
      emit(name, value) { return this.heard[name]?.(value); }
    }
    class Failure extends Error { constructor(message, details) { super(message); this.details = details; } }
    exports.Model = Model;
    exports.Failure = Failure;
    exports.mixed = (Base) => class extends Base { constructor() { super(); this.mixedIn = 'm'; } hello() { return 'hi'; } };
    exports.rowsOf = (n) => Array.from({ length: n }, (_, id) => ({ id, weight: 1 }));`,
  );
  writeFileSync(
    join(folder, 'own-model.ts'),
    `import { Model } from 'unknown-classes';
    export class Own extends Model { own() { return 1; } }
    export const make = (o: object) => new Own(o);`,
  );
  linkLibraries(folder, ['acorn', 'react', 'react-dom']);
}
