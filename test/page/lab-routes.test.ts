import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { servePageHere } from './page-server.js';

const THEMES = '/lab/api/settings/@jupyterlab/apputils-extension:themes';

it('keeps settings as they were written, with comments, where no other user can read them', async () => {
  const { state, ask } = await servePageHere();
  const unset = await ask(THEMES);
  expect(unset.json).toMatchObject({
    ...{ id: '@jupyterlab/apputils-extension:themes', raw: '{}', settings: {}, created: null, last_modified: null },
    schema: { title: 'Theme' },
  });
  const raw = "{\n  // mine\n  theme: 'JupyterLab Dark',\n}";
  expect((await ask(THEMES, { method: 'PUT', body: { raw } })).status).toBe(204);
  const { json } = await ask(THEMES);
  expect([json.raw, json.settings]).toEqual([raw, { theme: 'JupyterLab Dark' }]);
  expect(new Date(json.last_modified).toISOString()).toBe(json.last_modified);
  const [file = ''] = await readdir(join(state, 'settings'));
  expect(await readFile(join(state, 'settings', file), 'utf8')).toBe(raw);
  expect((await stat(join(state, 'settings', file))).mode & 0o777).toBe(0o600);
  expect((await ask('/lab/api/settings')).json.settings).toHaveLength(1);
  expect((await ask('/lab/api/settings?ids_only=true')).json).toEqual({ settings: [{ id: json.id }] });
});

it('refuses settings that are none, and tells of a file that became broken without losing it', async () => {
  const { state, ask } = await servePageHere();
  const put = async (body: unknown) => (await ask(THEMES, { method: 'PUT', body })).json?.message;
  expect(await put({ raw: '{\n theme: }' })).toBe('a value is missing at line 2, column 9.');
  expect(await put({ raw: '[]' })).toBe('The settings must be a JSON object.');
  expect(await put({})).toBe('The settings are missing: `raw` must be a text.');
  const unknown = await ask('/lab/api/settings/none:none', { method: 'PUT', body: { raw: '{}' } });
  expect([unknown.status, unknown.json.message]).toEqual([404, 'There are no settings of the name none:none.']);
  expect((await ask('/lab/api/settings/..%2f..%2ftrust', { method: 'PUT', body: { raw: '{}' } })).status).toBe(404);
  await put({ raw: '{ theme: 1 }' });
  const [file = ''] = await readdir(join(state, 'settings'));
  await writeFile(join(state, 'settings', file), '{ theme: "half');
  const { status, json } = await ask(THEMES);
  expect([status, json.raw, json.settings]).toEqual([200, '{ theme: "half', {}]);
  expect(json.warning).toBe(`The settings of ${json.id} cannot be read: a value is missing at line 1, column 10.`);
  expect(await readFile(join(state, 'settings', file), 'utf8')).toBe('{ theme: "half');
});

it('shows all other settings and workspaces where one file cannot be read', async () => {
  const { state, ask } = await servePageHere();
  await ask(THEMES, { method: 'PUT', body: { raw: '{}' } });
  const [file = ''] = await readdir(join(state, 'settings'));
  await rm(join(state, 'settings', file));
  await mkdir(join(state, 'settings', file));
  const { status, json } = await ask('/lab/api/settings');
  expect([status, json.settings]).toEqual([
    200,
    [
      expect.objectContaining({
        settings: {},
        warning: expect.stringMatching(
          /^The settings of @jupyterlab\/apputils-extension:themes cannot be read: EISDIR/,
        ),
      }),
    ],
  ]);
  await ask('/lab/api/workspaces/kept', { method: 'PUT', body: { data: {} } });
  await mkdir(join(state, 'workspaces/broken.json'));
  expect((await ask('/lab/api/workspaces')).json.workspaces).toMatchObject({ ids: ['kept'], values: [{ data: {} }] });
});

it('keeps every change of configuration where many come at once', async () => {
  const { ask } = await servePageHere();
  const keys = Array.from({ length: 20 }, (_, index) => `key${index}`);
  await Promise.all(keys.map((key) => ask('/api/config/notebook', { method: 'PATCH', body: { [key]: 1 } })));
  expect(Object.keys((await ask('/api/config/notebook')).json).sort()).toEqual([...keys].sort());
});

it('keeps workspaces of any name apart', async () => {
  const { state, ask } = await servePageHere();
  const names = ['default', 'auto-A', 'ä/b c', '../../escape', 'con', "q'*", '%2e'];
  for (const name of names) {
    const path = `/lab/api/workspaces/${encodeURIComponent(name)}`;
    expect((await ask(path)).json).toEqual({ data: {}, metadata: { id: name } });
    const body = { data: { name }, metadata: { id: 'another' } };
    expect([name, (await ask(path, { method: 'PUT', body })).status]).toEqual([name, 204]);
    expect((await ask(path)).json).toMatchObject({ data: { name }, metadata: { id: name } });
  }
  const { workspaces } = (await ask('/lab/api/workspaces')).json;
  expect(workspaces.ids.sort()).toEqual([...names].sort());
  expect(workspaces.values).toHaveLength(names.length);
  expect((await readdir(state)).sort()).toEqual(['cookie.key', 'workspaces']);
  expect((await ask('/lab/api/workspaces/default', { method: 'DELETE' })).status).toBe(204);
  expect((await ask('/lab/api/workspaces/default')).json.data).toEqual({});
  expect((await ask('/lab/api/workspaces/x', { method: 'PUT', body: { data: 1 } })).status).toBe(400);
  expect((await ask('/lab/api/workspaces/', { method: 'PUT', body: { data: {} } })).json.message).toBe(
    'The workspace has no name: it stands at the end of the address.',
  );
  expect(await readdir(join(state, 'workspaces'))).not.toContain('.json');
});

it('keeps configuration, and answers what else JupyterLab asks for', async () => {
  const { ask } = await servePageHere();
  expect((await ask('/api/config/notebook')).json).toEqual({});
  const patch = (body: unknown) => ask('/api/config/notebook', { method: 'PATCH', body });
  await patch({ a: { b: 1, c: 2 }, d: 1 });
  expect((await patch({ a: { b: null, e: 3 } })).json).toEqual({ a: { c: 2, e: 3 }, d: 1 });
  expect((await ask('/api/config/notebook')).json).toEqual({ a: { c: 2, e: 3 }, d: 1 });
  expect((await ask('/api')).json).toEqual({ version: expect.stringMatching(/^2\.\d+\.\d+$/) });
  expect((await ask('/api/status')).json).toMatchObject({ connections: 0, kernels: 0 });
  expect((await ask('/api/me')).json.identity).toMatchObject({
    username: expect.any(String),
    initials: expect.any(String),
  });
  expect((await ask('/api/terminals')).json).toEqual([]);
  expect((await ask('/api/nbconvert')).json).toEqual({
    html: { output_mimetype: 'text/html' },
    script: { output_mimetype: 'text/typescript' },
  });
  expect((await ask('/api/events/subscribe')).status).toBe(400);
  expect((await ask('/lab/api/translations')).json.data).toEqual({
    en: { displayName: 'English', nativeName: 'English' },
  });
  expect((await ask('/lab/api/translations/de')).json).toEqual({ data: {}, message: '' });
  expect((await ask('/api/kernelspecs')).json.default).toBe('oddslab');
});

it('finds the files that outputs name, and tells nothing of others', async () => {
  const { folder, state, ask } = await servePageHere();
  await mkdir(join(folder, 'sub'));
  await writeFile(join(folder, 'sub/a b.ts'), '');
  await writeFile(join(folder, '.hidden'), '');
  const found = async (path: string, more = '') => {
    const { status, json } = await ask(`/api/resolvePath?path=${encodeURIComponent(path)}${more}`);
    return [status, json.resolved];
  };
  for (const path of [join(folder, 'sub/a b.ts'), 'sub/a b.ts', './sub/../sub/a b.ts']) {
    expect([path, await found(path)]).toEqual([path, [200, [{ path: 'sub/a b.ts', scope: 'server' }]]]);
  }
  for (const path of ['/etc/passwd', state, '../state', '.hidden', 'none', 'a\0b', '', '~/none']) {
    expect([path, await found(path, '&kernel=none')]).toEqual([path, [200, path === '' ? expect.anything() : []]]);
  }
});

it('exports notebooks as HTML and as TypeScript', async () => {
  const { folder, ask } = await servePageHere();
  const code = {
    cell_type: 'code',
    id: 'a',
    source: 'const x: number = 1;',
    metadata: {},
    execution_count: 1,
    outputs: [],
  };
  await mkdir(join(folder, 'sub'));
  await writeFile(
    join(folder, 'sub/ä.ipynb'),
    JSON.stringify({ cells: [code], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
  );
  const page = await ask(`/nbconvert/html/sub/${encodeURIComponent('ä.ipynb')}`);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none';/);
  expect(page.text).toContain('<title>ä</title>');
  const program = await ask(`/nbconvert/script/sub/${encodeURIComponent('ä.ipynb')}?download=true`);
  expect(program.headers['content-disposition']).toBe("attachment; filename*=UTF-8''%C3%A4.ts");
  expect(program.text).toBe('// %%\nconst x: number = 1;\n');
  expect((await ask('/nbconvert/pdf/a.ipynb')).status).toBe(404);
  expect((await ask('/nbconvert/html/none.ipynb')).json.message).toBe('none.ipynb does not exist.');
});

it('sends static files compressed as they lie there, decompressed only where a browser does not take them', async () => {
  const { ask } = await servePageHere();
  const packed = await ask('/static/lab.js', { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } });
  expect(packed.headers).toMatchObject({
    ...{ 'content-encoding': 'br', 'content-type': 'text/javascript; charset=utf-8', vary: 'accept-encoding' },
    ...{ 'cache-control': 'no-cache', 'content-length': String(packed.bytes.length) },
  });
  for (const accepted of [undefined, 'gzip', 'br;q=0', 'brx']) {
    const plain = await ask('/static/lab.js', {
      headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
    });
    expect([accepted, plain.headers['content-encoding'], plain.text]).toEqual([
      accepted,
      undefined,
      'console.log("the page");',
    ]);
    expect(plain.headers.etag).toBe(packed.headers.etag);
  }
  const again = await ask('/static/lab.js', { headers: { 'if-none-match': `"x", ${packed.headers.etag}` } });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
  expect((await ask('/static/chunks/part-ABCD1234.js')).headers['cache-control']).toMatch(/immutable$/);
  expect((await ask('/static/lab.css')).text).toBe('body {}');
  for (const path of [
    '/static/',
    '/static/chunks',
    '/static/lab.js.map',
    '/static/..%2fstate',
    '/lab/api/themes/x',
    '/lab/other',
  ]) {
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
  }
});

it('serves the page under each of its addresses, with names that cannot end its data', async () => {
  const { ask, folder } = await servePageHere();
  const config = async (path: string) => {
    const { status, text } = await ask(path);
    return status === 200 ? JSON.parse(/application\/json">(.*?)<\/script>/s.exec(text)?.[1] ?? '') : status;
  };
  expect(await config('/lab')).toMatchObject({ treePath: '', workspace: 'default', serverRoot: folder, token: '' });
  const path = '/lab/workspaces/mine/tree/a%20b/%3C%2Fscript%3E.ipynb';
  expect(await config(path)).toMatchObject({ treePath: 'a b/</script>.ipynb', workspace: 'mine' });
  expect(await config('/doc/tree/x.ipynb')).toMatchObject({ mode: 'single-document', treePath: 'x.ipynb' });
  expect(await config('/lab/tree/%ff')).toMatchObject({ treePath: '' });
  // A percent sign may stand for itself, and a slash at the end for nothing.
  expect(await config('/lab/tree/up%2050%.ipynb/')).toMatchObject({ treePath: 'up 50%.ipynb' });
  expect((await ask('/lab')).text).toContain('<link rel="modulepreload" href="/static/chunks/part-ABCD1234.js">');
  expect((await ask('/')).headers.location).toBe('/lab');
  expect((await ask('/favicon.svg')).headers['content-type']).toBe('image/svg+xml');
});

it('sends along with the page what it will ask first, as its routes answer it', async () => {
  const { ask, folder } = await servePageHere();
  const name = 'a & "b" <!--<script>.ipynb';
  await writeFile(join(folder, name), '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}');
  const file = `/api/contents/${encodeURIComponent(name)}`;
  const { text } = await ask(`/lab/workspaces/mine/tree/${encodeURIComponent(name)}`);
  const answers = [...text.matchAll(/data-answer="([^"]*)"( data-lasting)?>(.*?)<\/script>/gs)];
  const addresses = answers.map(([, address = '']) =>
    address.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)),
  );
  expect(addresses).toEqual(
    expect.arrayContaining(['/lab/api/settings', '/lab/api/workspaces', '/api/kernelspecs', '/api/sessions']),
  );
  expect(addresses).toEqual(expect.arrayContaining([`${file}?content=0&hash=0`, `${file}/checkpoints`]));
  for (const [at, [, , , json = '']] of answers.entries()) {
    const address = addresses[at] ?? '';
    expect([address, JSON.parse(json)]).toEqual([address, JSON.parse((await ask(address)).text)]);
  }
});

it.skipIf(process.platform === 'win32')(
  'opens no pipe that has the name of a notebook, which would never end',
  async () => {
    const { ask, folder } = await servePageHere();
    execFileSync('mkfifo', [join(folder, 'pipe.ipynb')]);
    // More than Node.js has threads for files.
    for (let round = 0; round < 6; round++) expect((await ask('/lab/tree/pipe.ipynb')).status).toBe(200);
    await writeFile(join(folder, 'plain.txt'), 'text');
    expect((await ask('/api/contents/plain.txt')).json).toMatchObject({ content: 'text' });
  },
);
