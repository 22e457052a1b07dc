import { messageOf, ServiceError } from '../base/errors.js';
import { fieldOf } from '../base/texts.js';
import { connectBy } from '../client/connect.js';
import { tearSheet } from '../report/tear-sheet.js';
import type { SheetAnswer } from '../service/web/sheets.js';
import type { FromMaker, ToMaker } from './sheet-maker.js';

/** Makes tear sheets for the service that started this process, until the channel to it closes. */
export async function makeSheetsOfService(): Promise<void> {
  const waiting = new Map<number, (answer: SheetAnswer) => void>();
  let asked = 0;
  const client = connectBy('this service', async (envelope) => {
    const id = asked++;
    const answer = await new Promise<SheetAnswer>((told) => {
      waiting.set(id, told);
      say({ type: 'ask', id, envelope });
    });
    if ('body' in answer) return { body: Buffer.from(answer.body), attempts: 1, waitedMs: 0 };
    const { status, detail } = answer.problem;
    throw new ServiceError(detail, { status, attempts: 1, method: 'POST', url: '' });
  });
  process.on('message', (message: ToMaker) => {
    if (message.type === 'answer') {
      waiting.get(message.id)?.(message.answer);
      waiting.delete(message.id);
      return;
    }
    tearSheet(client, message.wallets).then(
      (sheet) => say({ type: 'made', sheet: { ...sheet.parts, unseen: sheet.unseen } }),
      (error) => {
        const status = fieldOf(fieldOf(error, 'details'), 'status');
        say({ type: 'failed', message: messageOf(error), status: typeof status === 'number' ? status : undefined });
      },
    );
  });
  await new Promise((closed) => process.once('disconnect', closed));
}

function say(message: FromMaker): void {
  // The service may have gone, which ends this process, too.
  process.send?.(message, undefined, undefined, () => {});
}
