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
  for (const name of ['unknown-objects', 'known-objects']) {
    mkdirSync(join(packages, name), { recursive: true });
    writeFileSync(join(packages, name, 'package.json'), `{"name": "${name}", "version": "1.0.0"}`);
    writeFileSync(
      join(packages, name, 'index.js'),
      `const isObject = (v) => v !== null && typeof v === 'object';
      const merge = (o, ...all) => {
        for (const each of all)
          for (const [k, v] of Object.entries(each)) if (isObject(v) && isObject(o[k])) merge(o[k], v); else o[k] = v;
        return o;
      };
      exports.merge = merge;
      exports.assign = (o, ...all) => Object.assign(o, ...all);
      exports.defaults = (o, ...all) => { for (const e of all) for (const k in e) o[k] ??= e[k]; return o; };
      exports.set = (o, path, value) => {
        const keys = typeof path === 'string' ? path.split('.') : path, last = keys.pop();
        keys.reduce((at, k) => (at[k] ??= {}), o)[last] = value;
        return o;
      };
      exports.each = (list, f) => list.forEach((e) => f(e));
      exports.sortBy = (list, key) => [...list].sort((a, b) => a[key] - b[key]);`,
    );
  }
  writeFileSync(
    join(packages, 'known-objects/index.d.ts'),
    `export function merge<O, S>(object: O, source: S): O & S;
    export function assign<O, S>(object: O, source: S): O & S;
    export function defaults<O, S>(object: O, source: S): NonNullable<S & O>;
    export function set<O extends object>(object: O, path: string | readonly string[], value: any): O;
    export function sortBy<T>(list: readonly T[], key: string): T[];`,
  );
  mkdirSync(join(packages, 'known-shapes'), { recursive: true });
  writeFileSync(join(packages, 'known-shapes/package.json'), '{"name": "known-shapes", "version": "1.0.0"}');
  writeFileSync(
    join(packages, 'known-shapes/index.js'),
    `const made = (draw) => {
      const use = (data) => draw(data);
      for (const name of ['x', 'y', 'value', 'id', 'distance']) use[name] = () => use;
      use.size = () => 1;
      return use;
    };
    exports.line = () => made((data) => data.length);
    exports.bins = () => made((data) => [data]);
    exports.links = () => made(() => 1);`,
  );
  writeFileSync(
    join(packages, 'known-shapes/index.d.ts'),
    `export interface Line<D> { (data: D[]): number; x(get: (d: D) => number): this; y(get: (d: D) => number): this }
    export function line<D = [number, number]>(x?: (d: D) => number): Line<D>;
    export interface Bins<D, V> { (data: D[]): D[][]; value(get: (d: D) => V): this }
    export function bins(): Bins<number, number>;
    export function bins<D, V extends number | undefined>(): Bins<D, V>;
    export interface Node { index?: number }
    export interface Links<N extends Node, L> { id(get: (node: N) => string): this; distance(get: (link: L) => number): this; size(): number }
    export function links<N extends Node, L extends { source: string | N }>(links?: L[]): Links<N, L>;
    export function answer<T = { rows: number[] }>(): Promise<T>;`,
  );
  writeFileSync(
    join(folder, 'own-model.ts'),
    `import { Model } from 'unknown-classes';
    export class Own extends Model { own() { return 1; } }
    export const make = (o: object) => new Own(o);`,
  );
  linkLibraries(folder, ['acorn', 'react', 'react-dom']);
}
