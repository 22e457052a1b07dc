import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve, sep } from 'node:path';
import { OddslabError } from '../../base/errors.js';
import type { Jupyter } from './find-jupyter.js';

/**
 * The command that the user gave to open Jupyter. A relative path is resolved from the working directory, because
 * Jupyter starts in another folder.
 *
 * @throws {OddslabError} If there is no such command.
 */
export function givenJupyter(given: string): Jupyter {
  const isPath = given.includes('/') || given.includes(sep);
  const command = isPath ? resolve(given) : given;
  // Windows finds commands by more complex rules.
  if (process.platform !== 'win32') refuseMissing(given, isPath ? [command] : onPath(command));
  return { title: given, command, args: [] };
}

function onPath(command: string): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return command === '' ? [] : folders.map((folder) => join(folder, command));
}

function refuseMissing(command: string, files: string[]): void {
  if (files.some((file) => isThere(file, constants.X_OK))) return;
  const reason = files.some((file) => isThere(file, constants.F_OK))
    ? 'it is no program that may be run.'
    : 'there is no such command. Without --jupyter, lab looks for Jupyter itself.';
  throw new OddslabError(`Cannot start ${command}: ${reason}`);
}

function isThere(file: string, mode: number): boolean {
  try {
    accessSync(file, mode);
    return true;
  } catch {
    return false;
  }
}
