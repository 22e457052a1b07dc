import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/packages.js';

/** An instruction of a Dockerfile. */
export interface Instruction {
  /** In capitals, such as `RUN`. */
  readonly name: string;
  /** The rest of the instruction, on one line. */
  readonly text: string;
}

/** A stage: the instructions from one `FROM` to the next. */
export type Stage = readonly Instruction[];

/** The text of the project's Dockerfile. */
export const DOCKERFILE = readFileSync(join(packageRoot(), 'deploy/Dockerfile'), 'utf8');

/** The stages of a Dockerfile, each from its `FROM` on. */
export function stagesOf(text: string): Stage[] {
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  const instructions = lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name: name.toUpperCase(), text: rest };
    });
  const stages: Instruction[][] = [];
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  return stages;
}

/** The texts of all instructions with a name. */
export function textsOf(stage: Stage | undefined, name: string): string[] {
  return (stage ?? []).filter((each) => each.name === name).map(({ text }) => text);
}
