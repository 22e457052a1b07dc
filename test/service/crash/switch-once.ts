import { lockFolder } from '../../../src/service/folder/folder-layout.js';
import { rollBack } from '../../../src/service/folder/roll-back.js';
import { publishTiny } from '../folder/tiny-version.js';

// Publishes a version with a given text, or rolls back if none is given.
const [folder = '', text] = process.argv.slice(2);
if (text === undefined) await rollBack(folder);
else {
  const unlock = await lockFolder(folder);
  await publishTiny(folder, text);
  await unlock();
}
process.stdout.write('done\n');
