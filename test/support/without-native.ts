import { put, temporaryFolder } from './temporary-folder.js';

/** NODE_OPTIONS that make a process find a file with native code missing. */
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
