import { put, temporaryFolder } from './temporary-folder.js';

/** NODE_OPTIONS of a process for which a file with native code is not installed. */
export async function withoutNative(file: RegExp): Promise<string> {
  const hook = `
    const loader = require('node:module');
    const resolve = loader._resolveFilename;
    loader._resolveFilename = (name, ...rest) => {
      if (${file}.test(name)) throw new Error("Cannot find module '" + name + "'\\nRequire stack:");
      return resolve(name, ...rest);
    };`;
  return `--require=${await put(await temporaryFolder(), 'without-native.cjs', hook)}`;
}
