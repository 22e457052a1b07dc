// Node's types come first, so that these signatures are tried before its own, by which every module is `any`.
/// <reference types="node" />

/** What `require` gives of Node's modules, by their names; those that are known by `node:` alone with it. */
interface RequiredModules {
  assert: typeof import('node:assert');
  'assert/strict': typeof import('node:assert/strict');
  async_hooks: typeof import('node:async_hooks');
  buffer: typeof import('node:buffer');
  child_process: typeof import('node:child_process');
  cluster: typeof import('node:cluster');
  console: typeof import('node:console');
  constants: typeof import('node:constants');
  crypto: typeof import('node:crypto');
  dgram: typeof import('node:dgram');
  diagnostics_channel: typeof import('node:diagnostics_channel');
  dns: typeof import('node:dns');
  'dns/promises': typeof import('node:dns/promises');
  domain: typeof import('node:domain');
  events: typeof import('node:events');
  fs: typeof import('node:fs');
  'fs/promises': typeof import('node:fs/promises');
  http: typeof import('node:http');
  http2: typeof import('node:http2');
  https: typeof import('node:https');
  inspector: typeof import('node:inspector');
  'inspector/promises': typeof import('node:inspector/promises');
  module: typeof import('node:module');
  net: typeof import('node:net');
  os: typeof import('node:os');
  path: typeof import('node:path');
  'path/posix': typeof import('node:path/posix');
  'path/win32': typeof import('node:path/win32');
  perf_hooks: typeof import('node:perf_hooks');
  process: typeof import('node:process');
  punycode: typeof import('node:punycode');
  querystring: typeof import('node:querystring');
  readline: typeof import('node:readline');
  'readline/promises': typeof import('node:readline/promises');
  repl: typeof import('node:repl');
  stream: typeof import('node:stream');
  'stream/consumers': typeof import('node:stream/consumers');
  'stream/promises': typeof import('node:stream/promises');
  'stream/web': typeof import('node:stream/web');
  string_decoder: typeof import('node:string_decoder');
  timers: typeof import('node:timers');
  'timers/promises': typeof import('node:timers/promises');
  tls: typeof import('node:tls');
  trace_events: typeof import('node:trace_events');
  tty: typeof import('node:tty');
  url: typeof import('node:url');
  util: typeof import('node:util');
  'util/types': typeof import('node:util/types');
  v8: typeof import('node:v8');
  vm: typeof import('node:vm');
  wasi: typeof import('node:wasi');
  worker_threads: typeof import('node:worker_threads');
  zlib: typeof import('node:zlib');
  'node:sea': typeof import('node:sea');
  'node:test': typeof import('node:test');
  'node:test/reporters': typeof import('node:test/reporters');
}

declare global {
  namespace NodeJS {
    interface Require {
      <Name extends keyof RequiredModules>(id: Name): RequiredModules[Name];
      <Name extends keyof RequiredModules>(id: `node:${Name}`): RequiredModules[Name];
    }
  }
}

export {};
