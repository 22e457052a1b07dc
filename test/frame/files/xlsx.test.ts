import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DataError, UsageError } from '../../../src/base/errors.js';
import { PNL_COLUMNS } from '../../../src/contract/pnl.js';
import { toCsv } from '../../../src/frame/csv/to-csv.js';
import { writeCsv } from '../../../src/frame/csv/write-csv.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromRecords } from '../../../src/frame/decode/frame-from-records.js';
import { writeXlsx } from '../../../src/frame/files/write-xlsx.js';
import { isAbsent } from '../../support/is-absent.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const WALLET = `0x${'c3'.repeat(20)}`;
const TOKEN = '71321045679252212594626385532706912750332728571942532289631379312455583992563';

const pnl = frameFromRecords(PNL_COLUMNS, [
  {
    date: '2025-11-05T00:00:00Z',
    proxy_wallet: WALLET,
    invested: '1234.5',
    pnl: '-12.25',
    trades: 1200,
    wins: 3,
    losses: 1,
    win_rate: '75',
  },
  {
    date: '2026-02-28T00:00:00Z',
    proxy_wallet: WALLET,
    invested: '0',
    pnl: '0.01',
    trades: 1,
    wins: 0,
    losses: 0,
    win_rate: '0',
  },
]);

const odd = new DataFrame({
  token: [TOKEN, '007', null],
  text: ['=1+1', '@SUM(A1)', '+cmd|x'],
  seen: ['2025-11-05T14:30:15Z', '1899-01-01T00:00:00Z', null],
  mixed: ['_x0041_ & <b>', 'a\nb', 'é 日本'],
  won: [true, false, null],
  price: [0.534, Number.NaN, Number.POSITIVE_INFINITY],
});

const SOFFICE = '/usr/bin/soffice';

/** What LibreOffice reads from a file: each sheet as CSV, as it shows the cells. */
function shownByLibreOffice(path: string, folder: string, filter: string): Map<string, string> {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const out = join(folder, 'shown');
  const to = `csv:Text - txt - csv (StarCalc):${filter}`;
  const run = spawnSync(SOFFICE, [profile, '--headless', '--convert-to', to, '--outdir', out, path], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (run.status !== 0) throw new Error(`soffice: ${run.stdout}${run.stderr}`);
  return new Map(readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')]));
}

/** Fields with commas between, quotes only where needed, UTF-8, as shown, every sheet in a file of its own. */
const ALL_SHEETS = '44,34,76,1,,0,false,true,true,false,false,-1';

describe('writeXlsx', () => {
  it.skipIf(isAbsent(SOFFICE, 'a workbook opened with LibreOffice'))(
    'writes what LibreOffice shows as dates, dollars, counts and whole ids, without a formula',
    { timeout: 150_000 },
    async () => {
      const folder = await temporaryFolder();
      const path = join(folder, 'study.xlsx');
      await writeXlsx({ Weekly: pnl, 'Odd ones': odd }, path);
      const shown = shownByLibreOffice(path, folder, ALL_SHEETS);
      expect(shown.get('study-Weekly.csv')).toBe(
        `date,proxy_wallet,invested,pnl,trades,wins,losses,win_rate
2025-11-05,${WALLET},"$1,234.50",-$12.25,"1,200",3,1,75.0%
2026-02-28,${WALLET},$0.00,$0.01,1,0,0,0.0%
`,
      );
      expect(shown.get('study-Odd ones.csv')).toBe(
        `token,text,seen,mixed,won,price
${TOKEN},=1+1,2025-11-05 14:30:15,_x0041_ & <b>,TRUE,0.534
007,@SUM(A1),1899-01-01T00:00:00Z,"a\nb",FALSE,
,+cmd|x,,é 日本,,Infinity
`,
      );
    },
  );

  it.skipIf(isAbsent('/usr/bin/python3', 'the parts of a workbook'))(
    'of one frame freezes the names, makes columns as wide as their content, and holds numbers and dates as such',
    async () => {
      const path = join(await temporaryFolder(), 'pnl.xlsx');
      const told: unknown[] = [];
      const file = await writeXlsx(pnl, path, { sheet: 'PnL', onProgress: (progress) => told.push(progress) });
      expect(file).toEqual({ path, rows: 2, bytes: readFileSync(path).length });
      expect(told).toEqual([{ rows: 2, total: 2 }]);
      const parts = partsOf(path);
      const sheet = parts['xl/worksheets/sheet1.xml'] ?? '';
      expect(parts['xl/workbook.xml']).toContain('name="PnL"');
      expect(sheet).toContain('ySplit="1"');
      expect(sheet).toContain('state="frozen"');
      expect(sheet).toMatch(/<col min="2" max="2" width="44"/);
      // Days since the last one of 1899, as Excel counts.
      expect(sheet).toMatch(/<c r="A2" s="\d+"><v>45966<\/v>/);
      expect(sheet).toMatch(/<c r="D2" s="\d+"><v>-12.25<\/v>/);
      expect(sheet).toContain(`<t>${WALLET}</t>`);
      expect(sheet).not.toContain('<f>');
    },
  );

  it('refuses what a workbook cannot hold, and leaves nothing behind', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'x.xlsx');
    const long = new DataFrame({ text: ['x'.repeat(32_768)] });
    await expect(writeXlsx(long, path)).rejects.toThrow(/text of 32,768 characters in "text".*holds 32,767/);
    const rows = new DataFrame({ n: new Array(1_048_576).fill(1) });
    await expect(writeXlsx(rows, path)).rejects.toThrow(/1,048,576 rows, but a workbook holds 1,048,575/);
    await expect(writeXlsx(rows, path)).rejects.toThrow(DataError);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each<[unknown, object, RegExp]>([
    [{ 'a/b': pnl }, {}, /cannot be called "a\/b": it has "\/"/],
    [{ a: pnl, A: pnl }, {}, /there is "a" already/],
    [{ ['x'.repeat(32)]: pnl }, {}, /32 characters, and 31/],
    [{ History: pnl }, {}, /Excel keeps/],
    [{}, {}, /a frame for each sheet/],
    [{ a: 5 }, {}, /the sheet "a" is no frame, but number/],
    [null, {}, /needs a frame/],
    [[pnl], {}, /needs a frame/],
    [pnl, { sheet: "it's'" }, /apostrophe/],
    [pnl, { sheet: 5 }, /sheet of writeXlsx must be text; got 5/],
    [pnl, { shet: 'a' }, /Did you mean "sheet"/],
  ])('refuses %#', async (frames, options, message) => {
    const path = join(await temporaryFolder(), 'x.xlsx');
    const writing = writeXlsx(frames as never, path, options);
    await expect(writing).rejects.toThrow(UsageError);
    await expect(writing).rejects.toThrow(message);
  });
});

describe('CSV for spreadsheets', () => {
  it('has a comma before decimals and semicolons between fields, days, and ids behind a tab', () => {
    expect(toCsv(pnl, { decimal: ',', dates: 'day' })).toBe(
      `date;proxy_wallet;invested;pnl;trades;wins;losses;win_rate
2025-11-05;${WALLET};1234,5;-12,25;1200;3;1;75
2026-02-28;${WALLET};0;0,01;1;0;0;0
`,
    );
    const texts = new DataFrame({ id: [TOKEN, '1,5', '1e5', 'a1'], n: [1, 2.5, 1e21, -0.5] });
    expect(toCsv(texts, { decimal: ',', ids: 'text' })).toBe(`id;n\n\t${TOKEN};1\n\t1,5;2,5\n\t1e5;1e+21\na1;-0,5\n`);
    // Without it, a text that readCsv would read as a number is quoted, with either mark.
    expect(toCsv(texts, { decimal: ',' })).toBe(`id;n\n${TOKEN};1\n"1,5";2,5\n"1e5";1e+21\na1;-0,5\n`);
    expect(toCsv(odd, { dates: 'day' }).split('\n')[1]).toBe(`${TOKEN},=1+1,2025-11-05,_x0041_ & <b>,true,0.534`);
  });

  it.each([
    [{ decimal: ',', delimiter: ',' }, /comma cannot both/],
    [{ decimal: 'x' }, /decimal must be one of "\.", ","; got "x"/],
    [{ dates: 'days' }, /dates must be one of "iso", "day"/],
    [{ ids: true }, /ids must be one of "plain", "text"/],
  ])('refuses %j', (options, message) => {
    expect(() => toCsv(pnl, options as never)).toThrow(message);
  });

  it.skipIf(isAbsent(SOFFICE, 'a CSV file opened with LibreOffice'))(
    'keeps ids whole in LibreOffice',
    { timeout: 150_000 },
    async () => {
      const folder = await temporaryFolder();
      const path = join(folder, 'ids.csv');
      await writeCsv(new DataFrame({ token: [TOKEN, '007'], n: [1, 2] }), path, { ids: 'text' });
      const shown = shownByLibreOffice(path, folder, '44,34,76,1,,0,false,true,false');
      expect(shown.get('ids.csv')?.replaceAll('\t', '')).toBe(`token,n\n${TOKEN},1\n007,2\n`);
    },
  );
});

function partsOf(path: string): Record<string, string> {
  const program = `import sys, json, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))`;
  const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', program, path], { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, string>;
}
