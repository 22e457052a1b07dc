/** Where our page's server answers other than Jupyter's 1.23: the calls, the fields, and why. Each line is in use. */
export const DIFFERENCES: readonly [calls: RegExp, fields: RegExp, reason: string][] = [
  [/./, /^message$/, 'Ours say what would be right, or which file is meant.'],
  [
    /saved nowhere|saved bad|renamed, but missing|checkpoints: of nothing|missing one restarted/,
    /^status$/,
    'What the asker can mend is 4xx, not a fault of the server (500).',
  ],
  [/^contents|^checkpoints/, /(^|\.)hash(_algorithm)?$/, 'Newer servers of Jupyter have these fields; 1.23 has not.'],
  [/new notebook$|a folder$/, /(^|\.)size$/, 'A new notebook names its kernel from the start, so its file is longer.'],
  [/got a\.bin$/, /^content$/, 'Jupyter ends Base64 with a line break, as MIME has it; browsers need none.'],
  [/a notebook as text/, /^mimetype$/, 'Ours know the type of notebooks.'],
  [/^kernelspecs$/, /^argv/, 'The page starts no program for a kernel, and does not tell where this one lies.'],
  [/^history$/, /^history\.\d+\.0$/, 'The number of a kernel is when it started.'],
];
