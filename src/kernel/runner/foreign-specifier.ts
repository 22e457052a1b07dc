import { builtinModules, isBuiltin } from 'node:module';
import { basename } from 'node:path';
import { nearest } from '../../base/nearest.js';
import { packageNameOf } from './package-manifest.js';

/** What to say of a package's name that is written in another way. */
interface Known {
  /** Advice where something near has such a name; undefined if nothing has. */
  meant(specifier: string): string | undefined;
  /** The same where it is the project's own. */
  own(specifier: string): string | undefined;
  isInstalled(name: string): boolean;
}

const SCHEME = /^([a-z][\w+.-]+):/i;
/** A full path of Windows, whose drive looks like a scheme. */
const DRIVE = /^[a-z]:[\\/]/i;
const OF_A_SITE =
  /^https?:\/\/(?:esm\.sh|esm\.run|cdn\.skypack\.dev|unpkg\.com|cdn\.jsdelivr\.net\/npm)\/((?:@[^/@]+\/)?[^/@?]+)(?:@[^/?]*)?((?:\/[^?]*)?)/;

/** Advice for a specifier that begins with a scheme, such as `npm:`, which no package can have; undefined for others. */
export function ofAScheme(specifier: string, known: Known): string | undefined {
  if (DRIVE.test(specifier))
    return `A path of Windows is imported as a URL: 'file:///${specifier.replaceAll('\\', '/')}'.`;
  const [begin, scheme] = SCHEME.exec(specifier) ?? [];
  if (begin === undefined || scheme === undefined) return undefined;
  const rest = specifier.slice(begin.length).replace(/^\/+/, '');
  if (scheme === 'node') return ofNode(rest);
  if (scheme === 'npm') return ofNpm(rest, known);
  if (scheme === 'jsr') return known.own(packedIn(rest)) ?? ofJsr(packedIn(rest));
  if (/^https?$/.test(scheme)) return ofAnAddress(specifier, known);
  const runtime = RUNTIMES[scheme];
  if (!runtime) return known.own(rest) ?? `Node.js has no modules of the kind '${scheme}:', only of 'node:'.`;
  const instead = runtime.parts[rest];
  const has = instead !== undefined && isBuiltin(instead) ? `, which has '${instead}'` : '';
  return `That is a part of ${runtime.name}. Cells run in Node.js${has}.`;
}

/** Where else JavaScript runs: what its parts are called, and what Node.js has for them. */
const RUNTIMES: Record<string, { name: string; parts: Record<string, string> }> = {
  bun: { name: 'Bun', parts: { test: 'node:test', sqlite: 'node:sqlite' } },
  cloudflare: { name: "Cloudflare's Workers", parts: { sockets: 'node:net' } },
  deno: { name: 'Deno', parts: {} },
  electron: { name: 'Electron', parts: {} },
};

/** The names of Node's modules without `node:`, those included that have to be written with it. */
export const NODE_MODULES: readonly string[] = [
  ...builtinModules.filter((each) => !/^(_|node:)/.test(each)),
  ...['test', 'test/reporters', 'sqlite', 'sea'].filter((each) => isBuiltin(`node:${each}`)),
];

function ofNode(name: string): string {
  const near = nearest(name, NODE_MODULES);
  return near === undefined ? 'Node.js has no such module.' : `Did you mean 'node:${near}'?`;
}

const BY_NAME = 'Cells import a package by its own name';

function ofNpm(rest: string, { meant, isInstalled }: Known): string {
  const packed = packedIn(rest);
  const name = packageNameOf(packed);
  if (isInstalled(name)) return `${BY_NAME}: '${packed}'.`;
  return `${BY_NAME}, without 'npm:'. ${meant(packed) ?? `None is installed that is called '${name}'.`}`;
}

/** Advice for a package with a version, which no import has; undefined for others. */
export function ofAVersion(specifier: string, { meant, isInstalled }: Known): string | undefined {
  const packed = packedIn(specifier);
  if (packed === specifier) return undefined;
  const name = packageNameOf(packed);
  const more = isInstalled(name) ? '' : ` ${meant(packed) ?? `None is installed that is called '${name}'.`}`;
  return `Cells import a package without its version: '${packed}'.${more}`;
}

/** A package and what is imported of it, without the version. */
function packedIn(rest: string): string {
  return rest.replace(/^((?:@[^/]+\/)?[^/@]+)@[^/]*/, '$1');
}

function ofJsr(packed: string): string {
  return `Packages of JSR are installed by: npx jsr add ${packageNameOf(packed)}. Then import them from '${packed}'.`;
}

function ofAnAddress(address: string, { meant, isInstalled }: Known): string {
  const nothing = 'Node.js imports nothing from addresses.';
  const [, name, inner = ''] = OF_A_SITE.exec(address) ?? [];
  if (name === undefined) {
    const file = basename(address.replace(/[?#].*/, ''));
    const written = /^[\w-]+\.[mc]?[jt]s$/.test(file) ? `: './${file}'` : '';
    return `${nothing} Save the file beside the notebook, and import that${written}.`;
  }
  const own = isInstalled(name) ? undefined : meant(name + inner);
  if (own !== undefined) return `${nothing} ${own}`;
  const state = isInstalled(name) ? '' : ', which is not installed';
  return `${nothing} Import the package by its own name, '${name}'${state}, or save the file beside the notebook and import that.`;
}

/** Packages of Python for which people look by habit; npm has strangers' packages of these names. */
const OF_PYTHON = /^(pandas|numpy|scipy|matplotlib|seaborn|sklearn|scikit-learn|statsmodels|polars-lts-cpu|requests)$/;

/** Advice for the names of packages that are no packages of npm, or whose work is done here already. */
export function ofAnotherKind(specifier: string): string | undefined {
  if (specifier.startsWith('@std/'))
    return `That is a package of JSR, installed by: npx jsr add ${packageNameOf(specifier)}`;
  if (/^danfojs(-node)?$/.test(specifier))
    return "Danfo's DataFrame and Series are a part of 'oddslab': import them from there.";
  if (specifier === 'bun') return 'That is a part of Bun. Cells run in Node.js.';
  if (OF_PYTHON.test(specifier.replace(/\..*/, ''))) return 'That is a package of Python, which cells do not run.';
  return undefined;
}
