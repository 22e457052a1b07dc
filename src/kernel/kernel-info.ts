import { versionOf } from '../base/packages.js';
import { PROTOCOL_VERSION } from './protocol/message.js';

/** What the kernel says of its language, which notebooks hold as `language_info`. */
export function languageInfo() {
  return {
    name: 'typescript',
    version: versionOf('typescript'),
    mimetype: 'text/typescript',
    file_extension: '.ts',
    pygments_lexer: 'typescript',
    codemirror_mode: { name: 'javascript', typescript: true },
    nbconvert_exporter: 'script',
  };
}

/** The content of `kernel_info_reply`. */
export function kernelInfo(): object {
  const version = versionOf('oddslab');
  const typescript = versionOf('typescript');
  return {
    protocol_version: PROTOCOL_VERSION,
    implementation: 'oddslab',
    implementation_version: version,
    language_info: languageInfo(),
    banner: `Oddslab ${version}: TypeScript ${typescript} on Node.js ${process.versions.node}`,
    debugger: false,
    help_links: [
      { text: 'TypeScript', url: 'https://www.typescriptlang.org/docs/' },
      { text: 'Node.js', url: 'https://nodejs.org/docs/latest/api/' },
    ],
  };
}
