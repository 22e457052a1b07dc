import { UsageError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';

/** The modes of a snapshot. */
export const SNAPSHOT_MODES = ['auto', 'record', 'replay', 'live'] as const;

/**
 * What a snapshot does: `auto` answers from it, requests the rest from the service and records that; `record` requests
 * and records everything anew; `replay` never contacts the service; `live` ignores the snapshot.
 */
export type SnapshotMode = (typeof SNAPSHOT_MODES)[number];

/** A snapshot folder and how it is used. */
export interface SnapshotOptions {
  readonly folder: string;
  readonly mode: SnapshotMode;
}

/**
 * The snapshot for a connection. Folder and mode each come from the options, else from the environment
 * (`ODDSLAB_SNAPSHOT`, `ODDSLAB_SNAPSHOT_MODE`), so that an unchanged notebook can run with or without one.
 *
 * @param env The environment; empty variables count as unset. Default: none, for connections that ignore it.
 * @returns Undefined if there is no snapshot, or its mode is `live`.
 * @throws {UsageError} If the mode is none of the four, or there is a mode without a folder.
 * @example readSnapshotOptions({ snapshot: 'snapshots/2026-11' }, {}); // { folder: 'snapshots/2026-11', mode: 'auto' }
 */
export function readSnapshotOptions(
  options: { readonly snapshot?: string | undefined; readonly mode?: string | undefined },
  env: Readonly<Record<string, string | undefined>> = {},
): SnapshotOptions | undefined {
  const folder = options.snapshot ?? (env.ODDSLAB_SNAPSHOT || undefined);
  const given = options.mode ?? (env.ODDSLAB_SNAPSHOT_MODE || undefined);
  const named = options.mode === undefined ? 'ODDSLAB_SNAPSHOT_MODE' : 'mode';
  const mode = given === undefined ? 'auto' : readMode(named, given);
  if (folder !== undefined && (typeof folder !== 'string' || folder.trim() === '')) {
    throw new UsageError(
      `snapshot must be the path of a folder, such as 'snapshots/2026-11'; got ${JSON.stringify(folder)}.`,
    );
  }
  if (mode === 'live') return undefined;
  if (folder !== undefined) return { folder, mode };
  if (given === undefined) return undefined;
  throw new UsageError(
    `${named} is ${mode}, but there is no snapshot: name its folder by connect({ snapshot }) or ODDSLAB_SNAPSHOT.`,
  );
}

function readMode(named: string, given: string): SnapshotMode {
  const mode = SNAPSHOT_MODES.find((known) => known === given);
  if (mode !== undefined) return mode;
  const meant = typeof given === 'string' ? nearest(given, SNAPSHOT_MODES) : undefined;
  const hint = meant === undefined ? '' : `; did you mean '${meant}'?`;
  throw new UsageError(
    `${named} must be 'auto', 'record', 'replay' or 'live'; got ${JSON.stringify(given)}${hint || '.'}`,
  );
}
