import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/free-port.js';

/** Where Debian's package puts the server. */
export const CLICKHOUSE = '/usr/sbin/clickhouse-server';

/** The login of the test servers; its password has characters that break careless URLs and shell commands. */
export const LOGIN = { user: 'lab', password: 'Pa55"w@rd\'s: <sec/ret>&%41' };

/** A ClickHouse server on loopback, in a temporary folder. */
export class ClickHouseServer {
  readonly url: string;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts one, and waits until it answers. */
  static async start(): Promise<ClickHouseServer> {
    const folder = await mkdtemp(join(tmpdir(), 'oddslab-clickhouse-'));
    const [http, tcp, inter] = [await freePort(), await freePort(), await freePort()];
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'config.xml'), configOf(folder, http, tcp, inter));
    await writeFile(join(folder, 'users.xml'), usersOf(LOGIN));
    const server = new ClickHouseServer(folder, http);
    await server.resume();
    return server;
  }

  /** Starts it again over the same folder. */
  async resume(): Promise<void> {
    const words = [`--config-file=${join(this.#folder, 'config.xml')}`];
    const child = spawn(CLICKHOUSE, words, { cwd: this.#folder, stdio: 'ignore' });
    this.#child = child;
    while (child.exitCode === null && child.signalCode === null) {
      if (await fetch(this.url).catch(() => undefined)) return;
      await sleep(25);
    }
    throw new Error(`ClickHouse ended while it started: ${await this.log()}`);
  }

  /** Kills its process at once, like a power cut. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  }

  /** Suspends or resumes its process, without closing a connection. */
  pause(isPaused: boolean): void {
    this.#child?.kill(isPaused ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Ends it and removes its folder. */
  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Runs a statement as its operator. */
  async run(sql: string): Promise<string> {
    const { user, password } = LOGIN;
    const headers = { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
    const answer = await fetch(this.url, { method: 'POST', headers, body: sql });
    return (await answer.text()).trim();
  }

  /** Everything that it has logged. */
  log(): Promise<string> {
    return readFile(join(this.#folder, 'log'), 'utf8').catch(() => '');
  }
}

function configOf(folder: string, http: number, tcp: number, inter: number): string {
  return `<yandex>
    <logger><level>debug</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
    <listen_host>127.0.0.1</listen_host><http_port>${http}</http_port><tcp_port>${tcp}</tcp_port>
    <interserver_http_port>${inter}</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>
    <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><mark_cache_size>100000000</mark_cache_size>
    <users_config>users.xml</users_config><default_profile>default</default_profile>
    <default_database>default</default_database><timezone>UTC</timezone>
  </yandex>`;
}

function usersOf({ user, password }: typeof LOGIN): string {
  const hash = createHash('sha256').update(password).digest('hex');
  return `<yandex>
    <profiles><default><max_memory_usage>1000000000</max_memory_usage></default></profiles>
    <quotas><default></default></quotas>
    <users>
      <default><password_sha256_hex>${hash}</password_sha256_hex><networks><ip>127.0.0.1</ip></networks>
        <profile>default</profile><quota>default</quota></default>
      <${user}><password_sha256_hex>${hash}</password_sha256_hex><networks><ip>127.0.0.1</ip></networks>
        <profile>default</profile><quota>default</quota></${user}>
    </users>
  </yandex>`;
}
