import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../../base/packages.js';

let known: object | undefined;

/**
 * The content of `kernel_info_reply`.
 *
 * @param protocolVersion Version of the messaging protocol.
 */
export function kernelInfo(protocolVersion: string): object {
  known ??= describe(protocolVersion);
  return known;
}

function describe(protocolVersion: string): object {
  const version = versionIn(join(packageRoot(), 'package.json'));
  const typescript = versionIn(createRequire(import.meta.url).resolve('typescript/package.json'));
  return {
    protocol_version: protocolVersion,
    implementation: 'oddslab',
    implementation_version: version,
    language_info: {
      name: 'typescript',
      version: typescript,
      mimetype: 'text/typescript',
      file_extension: '.ts',
      pygments_lexer: 'typescript',
      codemirror_mode: { name: 'javascript', typescript: true },
      nbconvert_exporter: 'script',
    },
    banner: `Oddslab ${version}: TypeScript ${typescript} on Node.js ${process.versions.node}`,
    debugger: false,
    help_links: [
      { text: 'TypeScript', url: 'https://www.typescriptlang.org/docs/' },
      { text: 'Node.js', url: 'https://nodejs.org/docs/latest/api/' },
    ],
  };
}

function versionIn(manifest: string): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return version;
}
