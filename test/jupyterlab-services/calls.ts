import { setTimeout as afterMs } from 'node:timers/promises';
import { type Services, settingsFor } from './services.js';

// biome-ignore lint/suspicious/noExplicitAny: answers of every kind
type Answer = any;

/** What a server has answered, by what it was asked. */
export type Answers = Map<string, unknown>;

const CELL = { cell_type: 'code', id: 'a', metadata: {}, execution_count: null, outputs: [], source: '1 + 1' };
const NOTEBOOK = { cells: [CELL], metadata: {}, nbformat: 4, nbformat_minor: 5 };

/** Asks a server everything that JupyterLab's client can, in one order. Its folder must be empty. */
export async function callAll(services: Services, url: string, token: string): Promise<Answers> {
  const settings = settingsFor(services, url, token);
  const answers: Answers = new Map();
  const note = async (asked: string, ask: () => Promise<unknown>): Promise<Answer> => {
    const answer = await ask().catch(refusalOf);
    // What only the client adds, and undefined fields, are no part of an answer.
    answers.set(asked, JSON.parse(JSON.stringify(answer ?? null)));
    return answer;
  };
  await contents(services, settings, note);
  await kernels(services, settings, note);
  return answers;
}

type Note = (asked: string, ask: () => Promise<unknown>) => Promise<Answer>;

async function refusalOf(error: Answer) {
  const status = error.response?.status;
  if (status === undefined) throw error;
  return { status, message: error.message };
}

async function contents({ ContentsManager }: Services, serverSettings: object, note: Note): Promise<void> {
  const manager = new ContentsManager({ serverSettings });
  await note('contents: an empty folder', () => manager.get(''));
  await note('contents: a new folder', () => manager.newUntitled({ type: 'directory' }));
  await note('contents: a new notebook', () => manager.newUntitled({ type: 'notebook' }));
  await note('contents: another new notebook', () => manager.newUntitled({ type: 'notebook' }));
  await note('contents: a new file', () => manager.newUntitled({ type: 'file', ext: '.txt' }));
  await note('contents: a new file in a folder', () =>
    manager.newUntitled({ path: 'Untitled Folder', type: 'file', ext: '.md' }),
  );
  const save = (path: string, content: object) => note(`contents: saved ${path}`, () => manager.save(path, content));
  await save('a.ipynb', { type: 'notebook', format: 'json', content: NOTEBOOK });
  await save('a.txt', { type: 'file', format: 'text', content: 'plain\ntext' });
  await save('a.bin', { type: 'file', format: 'base64', content: Buffer.from([0, 1, 255]).toString('base64') });
  await save('nowhere/a.txt', { type: 'file', format: 'text', content: 'x' });
  await save('bad.ipynb', { type: 'notebook', format: 'json', content: { cells: 'none' } });
  for (const path of ['a.ipynb', 'a.txt', 'a.bin', 'nothing.txt']) {
    await note(`contents: got ${path}`, () => manager.get(path));
    await note(`contents: got ${path} without its content`, () => manager.get(path, { content: false }));
  }
  await note('contents: a notebook as text', () => manager.get('a.ipynb', { type: 'file', format: 'text' }));
  await note('contents: text as base64', () => manager.get('a.txt', { type: 'file', format: 'base64' }));
  await note('contents: bytes as text', () => manager.get('a.bin', { type: 'file', format: 'text' }));
  await note('contents: text as a notebook', () => manager.get('a.txt', { type: 'notebook' }));
  await note('contents: a folder as a file', () => manager.get('Untitled Folder', { type: 'file' }));
  await note('contents: copied', () => manager.copy('a.ipynb', 'Untitled Folder'));
  await note('contents: copied beside', () => manager.copy('a.txt', ''));
  await note('contents: renamed', () => manager.rename('a.txt', 'b.txt'));
  await note('contents: renamed over another', () => manager.rename('b.txt', 'a.ipynb'));
  await note('contents: renamed, but missing', () => manager.rename('nothing.txt', 'c.txt'));
  const checkpoint = await note('checkpoints: made', () => manager.createCheckpoint('a.ipynb'));
  await note('checkpoints: listed', () => manager.listCheckpoints('a.ipynb'));
  await save('a.ipynb', { type: 'notebook', format: 'json', content: { ...NOTEBOOK, cells: [] } });
  await note('checkpoints: restored', () => manager.restoreCheckpoint('a.ipynb', checkpoint.id));
  await note('checkpoints: what was restored', () => manager.get('a.ipynb'));
  await note('checkpoints: deleted', () => manager.deleteCheckpoint('a.ipynb', checkpoint.id));
  await note('checkpoints: none left', () => manager.listCheckpoints('a.ipynb'));
  await note('checkpoints: of nothing', () => manager.createCheckpoint('nothing.txt'));
  await note('contents: deleted', () => manager.delete('b.txt'));
  await note('contents: deleted, but missing', () => manager.delete('b.txt'));
  await note('contents: a folder', async () => {
    const folder = await manager.get('');
    return { ...folder, content: folder.content.sort((a: Answer, b: Answer) => (a.name < b.name ? -1 : 1)) };
  });
}

const NOBODY = '00000000-0000-4000-8000-000000000000';

async function kernels(services: Services, settings: object, note: Note): Promise<void> {
  const { KernelAPI, KernelSpecAPI, SessionAPI, KernelConnection } = services;
  await note('kernelspecs', async () => (await KernelSpecAPI.getSpecs(settings)).kernelspecs.oddslab);
  const start = (path: string, kernel: object) =>
    SessionAPI.startSession({ path, name: path, type: 'notebook', kernel }, settings);
  const session = await note('sessions: begun', () => start('a.ipynb', { name: 'oddslab' }));
  await note('sessions: begun again', async () => (await start('a.ipynb', { name: 'oddslab' })).id === session.id);
  await note('sessions: with an unknown kernel', () => start('b.ipynb', { name: 'nothing' }));
  await note('sessions: listed', () => SessionAPI.listRunning(settings));
  await note('sessions: got', () => SessionAPI.getSessionModel(session.id, settings));
  await note('sessions: missing', () => SessionAPI.getSessionModel(NOBODY, settings));
  await note('sessions: renamed', () =>
    SessionAPI.updateSession({ id: session.id, path: 'Untitled Folder/c.ipynb', name: 'c.ipynb' }, settings),
  );
  await note('kernels: listed', () => KernelAPI.listRunning(settings));
  await note('kernels: missing', () => KernelAPI.getKernelModel(NOBODY, settings));
  await note('kernels: a missing one interrupted', () => KernelAPI.interruptKernel(NOBODY, settings));
  await note('kernels: a missing one restarted', () => KernelAPI.restartKernel(NOBODY, settings));
  const kernel = new KernelConnection({ model: session.kernel, serverSettings: settings });
  await note('kernel_info', () => kernel.info);
  await messages(kernel, note);
  await note('kernels: interrupted', async () => {
    const running = execute(kernel, 'console.log("on"); for (;;);');
    await running.shows('on\n');
    await kernel.interrupt();
    return running.answer;
  });
  await note('kernels: restarted', async () => {
    await kernel.restart();
    return execute(kernel, 'typeof kept').answer;
  });
  await note('kernels: got', async () => {
    // Until the last message has reached the server's own account of the kernel.
    await afterMs(500);
    return KernelAPI.getKernelModel(session.kernel.id, settings);
  });
  const other = await note('kernels: started', () => KernelAPI.startNew({ name: 'oddslab' }, settings));
  await note('kernels: ended', () => KernelAPI.shutdownKernel(other.id, settings));
  await note('sessions: with another kernel', () =>
    SessionAPI.updateSession({ id: session.id, kernel: { name: 'oddslab' } }, settings),
  );
  kernel.dispose();
  await note('sessions: ended', () => SessionAPI.shutdownSession(session.id, settings));
  await note('sessions: none left', () => SessionAPI.listRunning(settings));
  await note('kernels: none left', () => KernelAPI.listRunning(settings));
}

const CELLS = [
  'console.log("out"); console.error("err"); let kept = 6 * 7; kept',
  'display({ a: 1 }, { id: "d" }); display.update("d", { a: 2 }); display.html("<b>x</b>"); display.clear({ wait: true })',
  'throw new RangeError("on purpose")',
  'const wrong: number = "text"',
  'const = 1',
  '',
  'console.log(await input("Name? "))',
];

async function messages(kernel: Answer, note: Note): Promise<void> {
  for (const code of CELLS) await note(`execute: ${code}`, () => execute(kernel, code).answer);
  await note(
    'execute: silent, with expressions',
    () => execute(kernel, '1', { silent: true, user_expressions: { a: 'kept', b: 'nothing' } }).answer,
  );
  await note('execute: aborted by an error', async () => {
    const failing = execute(kernel, 'await new Promise((done) => setTimeout(done, 200)); throw 1');
    const aborted = execute(kernel, '2');
    await failing.answer;
    return aborted.answer;
  });
  const content = async (asked: Promise<Answer>) => (await asked).content;
  await note('complete', async () => {
    const { matches, ...rest } = await content(kernel.requestComplete({ code: 'Math.flo', cursor_pos: 8 }));
    return { ...rest, matches: matches.slice(0, 3) };
  });
  await note('inspect', () => content(kernel.requestInspect({ code: 'kept', cursor_pos: 2, detail_level: 0 })));
  await note('inspect: nothing', () => content(kernel.requestInspect({ code: ' ', cursor_pos: 1, detail_level: 0 })));
  await note('is_complete', () => content(kernel.requestIsComplete({ code: 'if (1) {' })));
  await note('history', () =>
    content(
      kernel.requestHistory({ hist_access_type: 'range', session: 0, start: 1, stop: 3, raw: true, output: false }),
    ),
  );
  await note('comm_info', () => content(kernel.requestCommInfo({})));
  await execute(
    kernel,
    'comms.on("echo", (comm) => comm.onMessage((data, _m, buffers) => comm.send({ data }, { m: 1 }, buffers)))',
  ).answer;
  await note('comms: an answer with bytes', async () => {
    const comm = kernel.createComm('echo', 'comm-1');
    const answered = new Promise((done) => {
      comm.onMsg = (message: Answer) => done(message);
    });
    await comm.open({}).done;
    comm.send({ n: 1 }, {}, [new Uint8Array([1, 2, 255]).buffer]);
    const message = (await answered) as Answer;
    const buffers = message.buffers.map((buffer: ArrayBuffer | DataView) =>
      ArrayBuffer.isView(buffer)
        ? [...new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)]
        : [...new Uint8Array(buffer)],
    );
    return { content: message.content, metadata: message.metadata, buffers };
  });
  await note('comm_info: one comm', () => content(kernel.requestCommInfo({ target_name: 'echo' })));
}

/** Runs a cell; `answer` resolves to what it has shown, its reply and what the page was asked. */
function execute(kernel: Answer, code: string, options: object = {}) {
  const future = kernel.requestExecute({ code, allow_stdin: true, stop_on_error: true, ...options }, false);
  const shown: Answer[] = [];
  const asked: Answer[] = [];
  let look = () => {};
  future.onIOPub = ({ header, content, metadata }: Answer) => {
    const last = shown.at(-1);
    // A running cell's kernel says that it is busy after each answer to something else, which the servers may ask, too.
    const isBusyStill = content.execution_state === 'busy' && shown.length > 0;
    if (isBusyStill) return;
    // How text is cut into messages is up to when it comes.
    if (header.msg_type === 'stream' && last?.content.name === content.name) last.content.text += content.text;
    else shown.push({ type: header.msg_type, content: { ...content }, metadata });
    look();
  };
  future.onStdin = ({ header, content }: Answer) => {
    // It comes by a way of its own, before or after what is shown.
    asked.push({ type: header.msg_type, content });
    kernel.sendInputReply({ value: 'Ada', status: 'ok' }, header);
  };
  const until = (fits: () => boolean) =>
    new Promise<void>((done) => {
      look = () => {
        if (fits()) done();
      };
      look();
    });
  const answer = (async () => {
    const { content, metadata } = await future.done;
    // Warnings of types come once the cell is over.
    if (code.startsWith('const wrong')) await until(() => shown.some(({ content: { text } }) => /TS2322/.test(text)));
    return { shown, asked, reply: content, metadata };
  })();
  return { answer, shows: (text: string) => until(() => shown.some(({ content }) => content.text === text)) };
}
