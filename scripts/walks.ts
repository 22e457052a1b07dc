// Prints the source files that three jobs run through: `npm run walks`, or `npm run walks -- query` for one of them.
import { type Stretch, WALKS } from './follow-walk.js';

const asked = process.argv[2];
if (asked !== undefined && !(asked in WALKS)) {
  console.error(`There is no walk "${asked}". They are ${Object.keys(WALKS).join(', ')}.`);
  process.exit(64);
}
for (const [name, { about, follow }] of Object.entries(WALKS)) {
  if (asked !== undefined && asked !== name) continue;
  const stretches = await follow();
  console.log(`${name}: ${about}, ${countOf(stretches)} files`);
  for (const { program, files } of stretches) {
    console.log(`\n  ${program}, ${files.length} files\n${files.map((file) => `    ${file}`).join('\n')}`);
  }
  console.log();
}

function countOf(stretches: readonly Stretch[]): number {
  return new Set(stretches.flatMap(({ files }) => files)).size;
}
