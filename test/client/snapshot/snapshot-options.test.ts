import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.js';
import { readSnapshotOptions } from '../../../src/client/snapshot/snapshot-options.js';

const env = { ODDSLAB_SNAPSHOT: 'env', ODDSLAB_SNAPSHOT_MODE: 'replay' };

describe('readSnapshotOptions', () => {
  it.each([
    [{}, {}, undefined],
    [{ snapshot: 'a' }, {}, { folder: 'a', mode: 'auto' }],
    [{ snapshot: 'a', mode: 'record' }, env, { folder: 'a', mode: 'record' }],
    [{ snapshot: 'a' }, env, { folder: 'a', mode: 'replay' }],
    [{}, env, { folder: 'env', mode: 'replay' }],
    [{ mode: 'auto' }, env, { folder: 'env', mode: 'auto' }],
    [{ mode: 'live' }, env, undefined],
    [{ mode: 'live' }, {}, undefined],
    [{}, { ODDSLAB_SNAPSHOT: '', ODDSLAB_SNAPSHOT_MODE: '' }, undefined],
  ] as const)('reads %j with %j as %j', (options, from, read) => {
    expect(readSnapshotOptions(options, from)).toEqual(read);
  });

  it.each([
    [{ snapshot: 'a', mode: 'rply' }, {}, "mode must be 'auto', 'record', 'replay' or 'live'; got \"rply\""],
    [{ snapshot: 'a', mode: 'Replay' }, {}, 'got "Replay"; did you mean \'replay\'?'],
    [{ snapshot: 'a', mode: '' }, {}, "mode must be 'auto'"],
    [{ snapshot: 'a' }, { ODDSLAB_SNAPSHOT_MODE: 'on' }, "ODDSLAB_SNAPSHOT_MODE must be 'auto'"],
    [{ mode: 'replay' }, {}, 'mode is replay, but there is no snapshot'],
    [{}, { ODDSLAB_SNAPSHOT_MODE: 'auto' }, 'ODDSLAB_SNAPSHOT_MODE is auto, but there is no snapshot'],
    [{ snapshot: ' ' }, {}, 'snapshot must be the path of a folder'],
  ])('refuses %j with %j', (options, from, message) => {
    expect(() => readSnapshotOptions(options, from)).toThrow(message);
    expect(() => readSnapshotOptions(options, from)).toThrow(UsageError);
  });
});
