import { expect, test } from 'vitest';
import { Comms } from '../../../src/kernel/display/comms.js';
import type { CommEvent } from '../../../src/kernel/wire/runner.js';
import { TestNotebook } from '../run-cells.js';

function talk() {
  const sent: CommEvent[] = [];
  return { sent, comms: new Comms((comm) => sent.push(comm)) };
}

test('the code opens a comm, sends, hears and closes', () => {
  const { sent, comms } = talk();
  const heard: unknown[] = [];
  const comm = comms.api.open('counter', { start: 1n });
  comm.onMessage((data, metadata) => heard.push([data, metadata]));
  comm.onClose((data) => heard.push(['closed', data]));
  comm.send({ count: 2 }, { from: 'cell' });
  comms.receive({ kind: 'msg', id: comm.id, data: { count: 3 } });
  comms.receive({ kind: 'msg', id: 'another', data: 'not for us' });
  comm.close('bye');
  comm.close();
  expect(sent).toEqual([
    { kind: 'open', id: comm.id, target: 'counter', data: { start: '1' }, metadata: {} },
    { kind: 'msg', id: comm.id, data: { count: 2 }, metadata: { from: 'cell' } },
    { kind: 'close', id: comm.id, data: 'bye' },
  ]);
  expect(heard).toEqual([[{ count: 3 }, {}]]);
  expect(comm.isOpen).toBe(false);
  expect(() => comm.send(1)).toThrow("The comm 'counter' is closed: nobody hears what it sends.");
});

test('a front end opens a comm for a target that is registered', () => {
  const { sent, comms } = talk();
  const heard: unknown[] = [];
  const end = comms.api.on('widget', (comm, data, metadata) => {
    heard.push([comm.id, comm.target, data, metadata]);
    comm.onClose((farewell) => heard.push([comm.isOpen, farewell]));
    comm.send('hello');
  });
  comms.receive({ kind: 'open', id: 'a', target: 'widget', data: 1, metadata: { v: 2 } });
  comms.receive({ kind: 'close', id: 'a', data: 'enough' });
  end();
  comms.receive({ kind: 'open', id: 'b', target: 'widget', data: 1 });
  expect(heard).toEqual([
    ['a', 'widget', 1, { v: 2 }],
    [false, 'enough'],
  ]);
  expect(sent).toEqual([
    { kind: 'msg', id: 'a', data: 'hello', metadata: {} },
    { kind: 'close', id: 'b', data: {}, isRefusal: true },
  ]);
});

test('bad calls say what is taken', () => {
  const { comms } = talk();
  expect(() => comms.api.on('', () => {})).toThrow(
    "comms.on(target, handler) takes the name of a target first, such as 'my-widget'.",
  );
  expect(() => Reflect.apply(comms.api.open, undefined, [5])).toThrow(
    "comms.open(target, data) takes the name of a target first, such as 'my-widget'.",
  );
  expect(() => Reflect.apply(comms.api.open, undefined, ['widget', 1, [2]])).toThrow(
    'The metadata of a comm message is an object; got an array.',
  );
  expect(() => Reflect.apply(comms.api.open, undefined, ['widget', 1, {}, Buffer.from('a')])).toThrow(
    'The buffers of a comm message are a list, such as [bytes]; got 1 bytes.',
  );
  expect(() => Reflect.apply(comms.api.open, undefined, ['widget', 1, {}, ['a']])).toThrow(
    'A buffer of a comm message is a typed array, a DataView or an ArrayBuffer; got the text "a".',
  );
  expect(() => Reflect.apply(comms.api.on, undefined, ['widget'])).toThrow(
    'comms.on(target, handler) takes a function that is called with each message.',
  );
});

test('what a handler does is told to who sent the message, before it is done', async () => {
  const notebook = new TestNotebook();
  try {
    const told: unknown[] = [];
    const registering = await notebook.run(
      "comms.on('t', (comm, data) => { console.log(data); comm.send(data + 1); display([data]); throw new Error('H'); })",
    );
    const running = notebook.run('await new Promise((resolve) => setTimeout(resolve, 200)); "mine"');
    const comm: CommEvent = { kind: 'open', id: 'x', target: 't', data: 4 };
    await notebook.runner.sendComm(comm, {
      onOutput: (event) => told.push(event.type === 'display' ? event.data['text/plain'] : event),
      onComm: (answer) => told.push(answer),
      onFault: (fault) => told.push(fault.message),
    });
    expect(told).toEqual([
      { type: 'stream', name: 'stdout', text: '4\n' },
      { kind: 'msg', id: 'x', data: 5, metadata: {} },
      '[ 4 ]',
      'H',
    ]);
    expect(await running).toMatchObject({ outcome: { status: 'ok' }, events: [{ type: 'result' }] });
    expect(registering.events).toEqual([]);
  } finally {
    await notebook.close();
  }
});
