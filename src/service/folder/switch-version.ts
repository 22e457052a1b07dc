import { writeWhole } from '../../base/whole-file.js';
import { currentPath } from './read-version.js';

/** Makes a version the one to serve, atomically and durably. @throws {DataError} If it cannot be written. */
export async function switchVersion(folder: string, name: string): Promise<void> {
  await writeWhole(currentPath(folder), `${name}\n`, { durable: true });
}
