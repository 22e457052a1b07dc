import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { foldersAbove, hasTypesApart } from './project-files.js';

/** No more of a package is read: what is larger is rather bundled data than code that says what it writes. */
const MOST_BYTES = 4_000_000;
/** `node.x = …`, `node.vx += …`; not a member of the module, of a class's own object, or of a prototype. */
const WRITE = /(?<!\b(?:this|self|exports|module|prototype))\.([A-Za-z_$][\w$]*)\s*(?:[-+*/]?=(?![=>])|\+\+|--)/g;

/**
 * The members that packages without types give objects, by their texts: a simulation gives the nodes that it is passed
 * places. Each package is read once, when a member is missing in a notebook that imports it.
 */
export class PackageWrites {
  readonly #folder: string;
  readonly #known = new Map<string, ReadonlySet<string>>();

  /** @param folder The notebook's folder. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The names of members that a package's code assigns; none of one with types, of Node's modules and of files. */
  of(module: string): ReadonlySet<string> {
    const [name = ''] = /^(?:@[^/]+\/)?[^/.:][^/:]*(?=\/|$)/.exec(module) ?? [];
    if (name === '') return new Set();
    const known = this.#known.get(name) ?? this.#read(name);
    this.#known.set(name, known);
    return known;
  }

  #read(name: string): Set<string> {
    const found = new Set<string>();
    if (hasTypesApart(name, this.#folder)) return found;
    for (const above of foldersAbove(this.#folder)) {
      const folder = join(above, 'node_modules', name);
      const about = textOf(join(folder, 'package.json'));
      if (about === undefined) continue;
      if (/^\s*"(types|typings)"\s*:/m.test(about)) return found;
      for (const text of textsIn(folder)) for (const [, written = ''] of text.matchAll(WRITE)) found.add(written);
      return found;
    }
    return found;
  }
}

function textsIn(folder: string): string[] {
  let bytes = 0;
  const read = (path: string): string[] => {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.flatMap((each) => {
      const inner = join(path, each.name);
      if (each.isDirectory()) return each.name === 'node_modules' ? [] : read(inner);
      if (!/(?<!\.min)\.[cm]?js$/.test(each.name)) return [];
      bytes += statSync(inner).size;
      return bytes > MOST_BYTES ? [] : [textOf(inner) ?? ''];
    });
  };
  return read(folder);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
