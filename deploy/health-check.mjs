// The image's health check: asks the service by the port and the host that its flags, its environment or its
// configuration file set, as the service itself reads them. Ends with 0 if it answers.
import { readFileSync } from 'node:fs';

// The words of the container's first process, which is the service, or what docker starts it by.
const [, , words = '/proc/1/cmdline'] = process.argv;
const started = readFileSync(words, 'utf8').split('\0');

/** The value of a flag; undefined if it was not given. */
function flag(name) {
  const at = started.findLastIndex((word) => word === name || word.startsWith(`${name}=`));
  return at < 0 ? undefined : started[at].slice(name.length + 1) || started[at + 1];
}

const { ODDSLAB_SERVE_CONFIG, ODDSLAB_SERVE_HOST, ODDSLAB_SERVE_PORT } = process.env;
const file = flag('--config') ?? ODDSLAB_SERVE_CONFIG;
const set = file ? JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) : {};
const port = flag('--port') ?? (ODDSLAB_SERVE_PORT || set.port) ?? 8787;
const host = flag('--host') ?? (ODDSLAB_SERVE_HOST || set.host) ?? '127.0.0.1';
// Who listens on every address also does on loopback.
const asked = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
const { ok } = await fetch(`http://${asked.includes(':') ? `[${asked}]` : asked}:${port}/healthz`);
process.exit(ok ? 0 : 1);
