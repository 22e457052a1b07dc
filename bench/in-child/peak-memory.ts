import { PNL, PNL_COLUMNS } from '../../src/contract/pnl.js';
import { FrameBuilder } from '../../src/frame/decode/frame-builder.js';
import { ownPeakMb } from '../own-peak.js';
import { danfo } from '../peer-frames.js';
import { eachPnlPage } from '../records.js';

// Prints the peak memory of this process, in MB, while it makes a frame of a million records with oddslab or danfo.
const ROWS = 1_000_000;

function ours(): unknown {
  const builder = new FrameBuilder(PNL_COLUMNS, { key: PNL.key });
  for (const page of eachPnlPage(ROWS, 1000)) builder.appendText(Buffer.from(page));
  return builder.build();
}

function byDanfo(): unknown {
  const records: object[] = [];
  for (const page of eachPnlPage(ROWS, 1000)) for (const record of JSON.parse(page)) records.push(record);
  let frame = new (danfo().DataFrame)(records);
  for (const { name, dtype } of PNL_COLUMNS) if (dtype === 'float64') frame = frame.asType(name, 'float32');
  return frame;
}

const made = process.argv[2] === 'danfo' ? byDanfo() : ours();
if (!made) throw new Error('nothing was made');
console.log(ownPeakMb());
