import { expect, it } from 'vitest';
import { typesWithPackages } from './explorations.js';

const { types } = typesWithPackages();

const LAB = 'import { openLab } from "oddslab"; const lab = await openLab();';
const PNL = `${LAB} const pnl = await lab.pnl({ wallet: "0x1", granularity: "1d" }).frame()`;

/** Cells in the style of the exploration beside this file, with a mistake in the last, and what is said of them all. */
const MISTAKEN: [cells: string[], said: string[]][] = [
  // Names.
  [['const trades = [1]', 'trade.length'], ['2:1:1 2304']],
  [['let rows = [{ a: 1 }]; rows = rows.map(r => ({ ...r, b: 2 }))', 'rosw[0].b'], ['2:1:1 2304']],
  [['const f = (x) => x * fctor', 'const factor = 2; f(1)'], ['2:1:19 2304']],
  [['class Book { add(r) { return rws.push(r); } }', 'new Book().add(1)'], ['2:1:5 2304']],
  [['import { winrate } from "oddslab"; winrate'], ['1:1:10 2724']],
  [['import { readCvs } from "oddslab"; readCvs'], ['1:1:10 2724']],
  [['import { readFile } from "node:fs/promise"; readFile'], ['1:1:26 2307 warning']],
  // Members of what is known, also of what grew.
  [['let rows = [{ a: 1 }]; rows = rows.map(r => ({ ...r, bonus: 2 }))', 'rows[0].bonsu'], ['2:1:9 2551']],
  [['let rows = [{ a: 1 }]; rows = rows.map(r => ({ ...r, b: 2 }))', 'rows[0].other'], ['2:1:9 2339']],
  [['let rows = [{ a: 1 }]; rows = rows.map(r => ({ ...r, b: 2 }))', 'rows.size()'], ['2:1:6 2339']],
  [['let rows = [{ a: 1 }]; rows = rows.map(r => ({ ...r, b: 2 })); rows[0].other'], ['1:1:72 2339']],
  [['let rows = [{ a: 1 }]; const more = rows.map(r => ({ ...r, b: 2 }))', 'rows[0].b'], ['2:1:9 2339']],
  [['let rows = [{ a: 1 }]', 'rows = rows.map(r => ({ ...r, b: 2 }))', 'rows.map(r => r.c)'], ['3:1:17 2339']],
  [['let state = { step: 0 }; state = { ...state, user: { name: "me" } }', 'state.user.nmae'], ['2:1:12 2339']],
  [['let rows = [{ a: 1 }]; rows = rows.filter(r => r.a > 0)', 'rows[0].b'], ['2:1:9 2339']],
  [['let rows = [{ a: 1 }]; rows = rows.slice(1)', 'rows.map(r => r.totals)'], ['2:1:17 2339']],
  [
    ['function run() { let rows = [{ a: 1 }]; rows = rows.map(r => ({ ...r, b: 2 })); return rows[0].c }'],
    ['1:1:96 2339'],
  ],
  [['const rows = [{ price: 1 }]', 'rows.map(r => r.prise)'], ['2:1:17 2551']],
  [['const rows = [{ price: 1 }]', 'rows.filter(r => r.side === "buy")'], ['2:1:20 2339']],
  [['const rows = [{ price: 1 }]', 'rows.map(r => r.size * 2)'], ['2:1:17 2339']],
  [['const rows = [{ price: 1 }]', 'rows[0].prise ?? 0'], ['2:1:9 2551']],
  [['const rows = [{ price: 1 }]; for (const r of rows) r.cost = r.price', 'rows[0].csot'], ['2:1:9 2339']],
  [['const m = new Map([["a", { n: 1 }]])', 'm.get("a").m'], ['2:1:12 2339']],
  [['const counts = Object.groupBy ? 1 : 2; [1].findLats'], ['1:1:44 2551']],
  [['if (Array.prototype.toSorted) [1].toSortd()'], ['1:1:35 2551']],
  [['class P { constructor() { this.x = 1 } norm() { return this.y } }'], ['1:1:61 2339']],
  [['class P { x = 1 }; class Q extends P { f() { return this.z } }'], ['1:1:58 2339']],
  [
    [
      'import { Model } from "unknown-classes"; class A extends Model {}',
      'A.of(1); const n: number = new A().o; n.foo',
    ],
    ['2:1:41 2339'],
  ],
  [['import { Model } from "unknown-classes"; class A extends Model { n = 1 }', 'new A().n.foo'], ['2:1:11 2339']],
  [['const s = await Promise.allSettled([1]); s[0].valeu'], ['1:1:47 2339']],
  [['const s = await Promise.allSettled([1]); s[0].results'], ['1:1:47 2339']],
  [
    [
      'type Shape = { kind: "circle"; r: number } | { kind: "square"; side: number }; const area = (s: Shape) => s.raduis',
    ],
    ['1:1:109 2339'],
  ],
  // Await.
  [['const load = async () => [{ p: 1 }]', 'load().map(r => r.p)'], ['2:1:8 2339']],
  [['const load = async () => [{ p: 1 }]', 'const rows = load()', 'rows[0].p'], ['3:1:1 7053']],
  [[PNL.replace('await lab.pnl', 'lab.pnl'), 'pnl.head()'], ['2:1:5 2339']],
  [['const later = Promise.allSettled([1])', 'later.filter(s => s.value)'], ['2:1:7 2339']],
  [['const rows = (async () => [{ a: 1 }])(); for (const r of rows) r.a'], ['1:1:58 2488']],
  [['let n = (async () => 1)(); n * 2'], ['1:1:28 2362']],
  // Our own API.
  [[`${PNL}; pnl.haed()`], ['1:1:142 2339']],
  [[`${LAB} lab.pln({ wallet: "0x1" })`], ['1:1:69 2339']],
  [[`${LAB} await lab.pnl({ wallet: "0x1", granularity: "1 day" }).frame()`], ['1:1:96 2322']],
  [[`${LAB} await lab.markets({ minVolum: 5 }).frame()`], ['1:1:85 2561']],
  [[`${LAB} await lab.markets({ closed: "yes" }).frame()`], ['1:1:85 2322']],
  [['import { winRate } from "oddslab"; winRate()'], ['1:1:36 2554']],
  [['import { winRate } from "oddslab"; winRate("pnl.csv")'], ['1:1:44 2345']],
  [[PNL, 'import { topN } from "oddslab"; topN("pnl", 10, pnl)'], ['2:1:38 2345']],
  [[PNL, 'import { topN } from "oddslab"; topN(pnl, 10, "pln")'], ['2:1:47 2345']],
  [[PNL, 'import { selectColumns } from "oddslab"; selectColumns(pnl, ["date", "profit"])'], ['2:1:61 2345']],
  // Beside what runs though its types do not fit.
  [['type Side = "yes" | "no"; const flip = (s: Side) => { switch (s) { case "maybe": return 1 } }'], ['1:1:73 2678']],
  [['const mode = "fast"; switch (mode) { case 5: console.log(1) }'], ['1:1:43 2678']],
  [['let n = { a: 1 }; n++'], ['1:1:19 2356']],
  [['let rows = [1]; rows -= 2'], ['1:1:17 2362']],
  [['let text = "5"; text *= load(); async function load() { return 2 }'], ['1:1:25 2363']],
  [['new Date({ year: 2024 })'], ['1:1:10 2769']],
  [['new Map<string, number>([["a", "x"]])'], ['1:1:32 2769']],
  [['new Map([["a", 1], ["b", "x"]]).size()'], ['1:1:33 2349']],
  [['const add = (a: number, b: number) => a + b; add(...["x", "y"] as [string, string])'], ['1:1:50 2345']],
  [
    ['class Money { constructor(v) { this.v = v } valueOf() { return this.v } }', 'new Money(1).worth'],
    ['2:1:14 2339'],
  ],
  [['JSON.parse([1, 2])'], ['1:1:12 2345']],
  [['JSON.parse(fetch("data:,1"))'], ['1:1:12 2345']],
  [['var rows: number[] = [1]; var rows: string[] = ["a"]'], ['1:1:31 2403']],
  [['const f = (x) => x; [1].map(v => f(v)).toUppercase()'], ['1:1:40 2339']],
  [['class L extends Array { total() { return this.length } }', 'L.from([1]).totl()'], ['2:1:13 2339']],
  // Arguments.
  [['const fee = (p: number, n: number) => p * n', 'fee("1", 2)'], ['2:1:5 2345']],
  [['const fee = (p: number, n: number) => p * n', 'fee(1)'], ['2:1:1 2554']],
  [['const between = (d: Date, n: number) => n', 'between(5, new Date())'], ['2:1:9 2345']],
  [['new Map([["a", 1]]).set()'], ['1:1:21 2554']],
  [['const fee = (a: number, b: number, c = 1) => a * b * c', 'fee(1)'], ['2:1:1 2554']],
  [['const st = { price1: 1 }', 'st.price3'], ['2:1:4 2551']],
  [['import { writeFileSync } from "node:fs"; writeFileSync({ a: 1 }, "a.json")'], ['1:1:58 2353']],
  [['class A { constructor(n: number) {} }', 'class B extends A { constructor() { super("x") } }'], ['2:1:43 2345']],
  [['[1, 2].reduce()'], ['1:1:8 2554']],
  [['"a,b".split()'], ['1:1:7 2554']],
  [['const n: number = "5"'], ['1:1:7 2322']],
  [
    ['interface Row { p: number }; let rows: Row[] = [{ p: 1 }]', 'rows = rows.map(r => ({ ...r, p: "x" }))'],
    ['2:1:1 2322'],
  ],
  [['interface Row { p: number }; let rows: Row[] = [{ p: 1 }]', 'rows[0].q ?? 0'], ['2:1:9 2339']],
  [['5()'], ['1:1:1 2349']],
  [['const text = "a"; text()'], ['1:1:19 2349']],
];

it.each(MISTAKEN)('%j', async (cells, expected) => {
  const said: string[] = [];
  for (const [at, code] of cells.entries())
    for (const { code: number, severity, start } of await types.add(code, 'cell').diagnostics)
      said.push(`${at + 1}:${start.line}:${start.column} ${number}${severity === 'error' ? '' : ` ${severity}`}`);
  expect(said).toEqual(expected);
});
