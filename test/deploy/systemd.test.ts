import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/base/packages.js';
import { SETTING_NAMES, variableOf } from '../../src/service/settings/setting-names.js';
import { isAbsent } from '../support/is-absent.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const UNIT = join(packageRoot(), 'deploy/oddslab.service');
const ANALYZE = '/usr/bin/systemd-analyze';
const run = promisify(execFile);

describe.skipIf(isAbsent(ANALYZE, 'the systemd unit'))('the systemd unit', () => {
  it('is right in the eyes of systemd', async () => {
    // The path to Node.js is that of this machine, as systemd looks whether there is such a program.
    const unit = join(await temporaryFolder(), 'oddslab.service');
    await cp(UNIT, unit);
    await run('sed', ['-i', `s#/usr/bin/node#${process.execPath}#`, unit]);
    const { stdout, stderr } = await run(ANALYZE, ['verify', '--man=no', unit]);
    // Other units of the machine may have faults of their own.
    expect((stdout + stderr).split('\n').filter((line) => line.includes('oddslab'))).toEqual([]);
  });

  it('leaves the service little to do harm with', async () => {
    const { stdout } = await run(ANALYZE, ['security', '--offline=true', '--no-pager', UNIT]);
    const [, exposure] = /exposure level for oddslab.service: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeLessThan(2);
  });
});

it('the unit starts a service again that ended, unless its settings are not valid', async () => {
  const unit = readFileSync(UNIT, 'utf8');
  const [, never] = /^RestartPreventExitStatus=(\d+)$/m.exec(unit) ?? [];
  expect(unit).toMatch(/^Restart=always$/m);
  const folder = await temporaryFolder();
  const codeOf = async (...words: string[]) => (await runCommand(['serve', '--data', folder, ...words])).code;
  expect(String(await codeOf('--port', 'eighty'))).toBe(never);
  expect(String(await codeOf('--host', '0.0.0.0', '--open'))).toBe(never);
  // What may pass by itself is tried again: an address that is not there yet, a port that another program holds.
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  expect(await codeOf('--port', String(port))).toBe(1);
  expect(await codeOf('--port', '0', '--host', '192.0.2.7')).toBe(1);
  expect(await codeOf('--port', '0', '--workers', '2', '--host', '192.0.2.7')).toBe(1);
});

it('the unit names settings that there are', () => {
  const named = readFileSync(UNIT, 'utf8').match(/ODDSLAB_[A-Z_]+/g) ?? [];
  const known = new Set([...SETTING_NAMES.map(variableOf), 'ODDSLAB_SERVE_CONFIG']);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
