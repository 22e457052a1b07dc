import { insteadOfName } from './other-names.js';

/** Commands that people write into cells. */
export const COMMANDS =
  'ls|dir|cat|cd|cp|curl|docker|echo|find|git|grep|head|mkdir|mv|node|npm|npx|oddslab|pip3?|conda|pnpm|pwd|python3?|rm|tail|touch|wc|wget|yarn';

/**
 * What to write in place of a command of a terminal.
 *
 * @example insteadOfCommand('cd data'); // "Change the folder by: process.chdir('data')"
 */
export function insteadOfCommand(command: string): string {
  const [name = '', ...given] = command.split(/\s+/);
  const [argument = '.'] = given.filter((each) => !each.startsWith('-'));
  const path = `'${argument.replace(/['"]/g, '')}'`;
  if (/^(pip3?|conda)$/.test(name)) return insteadOfName('pip') ?? '';
  if (/^(npm|pnpm|yarn)$/.test(name) && /^(i|install|add|ci)$/.test(given[0] ?? ''))
    return `Packages are installed in a terminal, in the notebook's folder: ${command}`;
  if (name === 'cd') return `Change the folder by: process.chdir(${path})`;
  if (name === 'pwd') return 'The folder is: process.cwd()';
  if (name === 'ls' || name === 'dir')
    return `Cells run no commands. List a folder by: import { readdirSync } from 'node:fs'; readdirSync(${path})`;
  if (name === 'cat' && given.length === 1)
    return `Cells run no commands. Read a file by: import { readFileSync } from 'node:fs'; readFileSync(${path}, 'utf8')`;
  return `Cells run no commands by themselves. Run one by: ${runOf(command)}`;
}

/** How to run a command. */
export function runOf(command: string): string {
  const text = JSON.stringify(command).slice(1, -1).replaceAll("'", "\\'");
  return `import { execSync } from 'node:child_process'; execSync('${text}', { encoding: 'utf8' })`;
}
