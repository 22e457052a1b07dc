import fs, { mkdtempSync, rmSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openTypeService } from '../../../src/kernel/types/open-type-service.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-runtime-'));
const types = openTypeService({ folder });
beforeEach(() => types.reset());
afterAll(async () => {
  await types.close();
  rmSync(folder, { recursive: true });
});

/** What is said of lines that only name things, as the lines themselves and the messages. */
async function saidOf(lines: readonly string[]): Promise<string[]> {
  const found = await types.add(lines.map((line) => `void ${line};`).join('\n'), 'cell').diagnostics;
  return found.map(({ start, message }) => `${lines[start.line - 1]}: ${message}`);
}

const NAME = /^[A-Za-z]\w*$/;
/** What only programs for the language itself read, and Node's own names that no types have. */
const NEITHER = /^(caller|arguments|__|_)/;

function namesOf(value: unknown): string[] {
  const isHolder = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isHolder ? Object.getOwnPropertyNames(value).filter((name) => NAME.test(name) && !NEITHER.test(name)) : [];
}

/** Node's globals and those of the language, without those of the test runner. */
function nodeGlobals(): string[] {
  const ofTests = /^(vi|vitest|expect|it|describe|test|suite|assert|before|after|chai|onTest|should)/;
  return namesOf(globalThis).filter((name) => !ofTests.test(name));
}

describe('knows what this Node.js has', () => {
  const globals = nodeGlobals();

  it('all globals', async () => expect(await saidOf(globals)).toEqual([]));

  it('their members, and those of their instances', async () => {
    const lines = globals.flatMap((global) => {
      const value = Reflect.get(globalThis, global);
      const prototype = typeof value === 'function' ? Reflect.get(value, 'prototype') : undefined;
      return [
        ...namesOf(value).map((name) => `${global}.${name}`),
        ...namesOf(prototype).map((name) => `${global}.prototype.${name}`),
      ];
    });
    expect(lines.length).toBeGreaterThan(1000);
    expect(await saidOf(lines)).toEqual([]);
  });

  it('the modules of Node, and what they export', async () => {
    const said: string[] = [];
    // Newer modules are listed with their prefix.
    const modules = builtinModules.map((name) => name.replace(/^node:/, ''));
    for (const module of modules.filter((name) => !/^_|^(sys|punycode|trace_events|wasi)$/.test(name))) {
      const names = namesOf(createRequire(import.meta.url)(`node:${module}`)).filter((name) => name !== 'default');
      const lines = [`import * as m from 'node:${module}'`, ...names.map((name) => `void m.${name}`)];
      const named = `import { ${names.map((name) => `${name} as _${name}`).join(', ')} } from 'node:${module}'`;
      const found = await types.add([named, ...lines].join('\n'), 'cell').diagnostics;
      said.push(...found.map(({ start, message }) => `${module} ${lines[start.line - 2]}: ${message.split('\n')[0]}`));
      types.reset();
    }
    expect(said).toEqual([]);
  });
});

describe('knows what a newer Node.js has', () => {
  /** Gives an object a member, as a later version of Node.js would. */
  const give = (target: object, name: string, value: unknown): void => {
    Object.defineProperty(target, name, { value, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(target, name));
  };

  it('of the language', async () => {
    give(Array.prototype, 'lastOfAll', () => 1);
    give(Object, 'keyed', () => 1);
    give(String.prototype, 'shout', () => 1);
    give(URL, 'ofText', () => 1);
    give(Map.prototype, 'merged', () => 1);
    give(globalThis, 'Signal', class {});
    const lines = [
      '[1].lastOfAll()',
      'Object.keyed({})',
      '"a".shout()',
      'URL.ofText("a")',
      'new Map([[1, 2]]).merged()',
    ];
    expect(await saidOf([...lines, 'new Signal()'])).toEqual([]);
    expect(
      await saidOf(['[1].lastOfNone()', 'Object.keyd({})', 'new Set([1]).merged()', 'new Signals()']),
    ).toHaveLength(4);
  });

  it('of Node itself', async () => {
    give(fs, 'readFileTwice', () => 1);
    give(fs.Stats.prototype, 'isCloud', () => false);
    give(process, 'features2', {});
    expect(await saidOf(['(await import("node:fs")).statSync(".").isCloud()', 'process.features2'])).toEqual([]);
    const named = await types.add('import fs from "node:fs"; fs.readFileTwice(); fs.readFileThrice()', 'c').diagnostics;
    expect(named.map(({ message }) => message)).toEqual([expect.stringContaining('readFileThrice')]);
  });

  it('asks for what it has not, without a word', async () => {
    const lines = [
      '(Array.prototype.sortedTwice ? 1 : 2)',
      '(Object.grouped && Object.grouped([]))',
      '(Promise.later?.())',
    ];
    expect(await saidOf(lines)).toEqual([]);
    expect(await saidOf(['Object.grouping([])'])).toHaveLength(1);
    expect(await saidOf(['(Math.round ? 1 : 2)', '(fetch ? 1 : 2)', '([1].at ? 1 : 2)'])).toEqual([]);
  });

  it('still says that one forgot to call a function', async () => {
    const own =
      'const isOn = () => true; const u = { isAdmin: () => true, at: () => 1 }; class A { ok() { return 1; } }';
    const found = await types.add(
      `${own}\nif (isOn) 1\nu.isAdmin ? 1 : 2\nu.at ? 1 : 2\nif (new A().ok) 1\n' a'.trim ? 1 : 2`,
      'cell',
    ).diagnostics;
    expect(found.map(({ code, start }) => `${start.line} ${code}`)).toEqual([
      '2 2774',
      '3 2774',
      '4 2774',
      '5 2774',
      '6 2774',
    ]);
  });
});
