import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';
import { parseCell } from '../../../src/kernel/transform/read-cell.js';

it.each([
  ['<Row market={1} />', 'tsx'],
  ['<Row mar', 'tsx'],
  ['const row = <Row mar', 'tsx'],
  ['function f() { return <div>{rows[0].pr', 'tsx'],
  ['<ul>{rows.map((row) => <li>{row.', 'tsx'],
  ['<T>5', 'ts'],
  ['<T>(x: T) => x', 'ts'],
  ['const f = <T>(x: T) => {', 'ts'],
  ['const f = async <T>(x: T): Promise<T> => { x.', 'ts'],
  ['const all = new Map<string, number>(', 'ts'],
  ['for (let i = 0; i <n ; i++) {', 'ts'],
  ['if (a <b && c > d', 'ts'],
])('reads %j as %s, also while it is written', (text, lang) => {
  expect(parseCell(parseSync, text).lang).toBe(lang);
});
