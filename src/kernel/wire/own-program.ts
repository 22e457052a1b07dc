/** The global by which a worker's thread learns of the program that it is to run. */
export const PROGRAM = Symbol.for('oddslab.program');

/** The argument before the path of the program that a process is to run. */
export const PROGRAM_FLAG = '--oddslab-program';

/** Flags of Node without which no module of the user's can be loaded. */
export const PROGRAM_FLAGS = [
  '--experimental-vm-modules',
  '--experimental-import-meta-resolve',
  '--disable-warning=ExperimentalWarning',
];

/** Takes the path of the program that this thread or process is to run from where it was put; undefined if none was. */
export function takeProgram(): string | undefined {
  const given: unknown = Reflect.get(globalThis, PROGRAM);
  Reflect.deleteProperty(globalThis, PROGRAM);
  const path = typeof given === 'string' ? given : process.argv[2] === PROGRAM_FLAG ? process.argv[3] : undefined;
  if (path === undefined) return undefined;
  process.argv.splice(1, typeof given === 'string' ? 1 : 3, path);
  process.execArgv = process.execArgv.filter((flag) => !PROGRAM_FLAGS.includes(flag));
  return path;
}
