import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { packageRoot } from '../src/base/packages.js';
import { createProgram } from '../src/cli/program.js';
import { FIGURES, type Figure } from '../src/contract/completeness.js';
import { DATASETS } from '../src/contract/dataset.js';
import type { Column, Parameter } from '../src/contract/definition.js';
import { PNL, PNL_BY } from '../src/contract/pnl.js';
import { AUDIT_EVENTS } from '../src/service/accounts/audit.js';
import { settingsTable } from '../src/service/settings/setting-names.js';

// Generates documentation from the code: `npm run docs`. test/docs.test.ts checks that it is up to date.

const root = packageRoot();

/** The full text of each documentation file that has generated parts, by path. */
export async function generatedDocs(): Promise<Record<string, string>> {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const operation = readFileSync(join(root, 'docs/operation.md'), 'utf8');
  const service = readFileSync(join(root, 'docs/service.md'), 'utf8');
  return {
    'README.md': readme.replace(/(<!-- datasets -->\n)[\s\S]*(<!-- \/datasets -->)/, `$1${datasetTables()}$2`),
    'docs/commands.md': await commandsPage(),
    'docs/toolkit.md': toolkitPage(),
    'docs/service.md': service.replace(
      /(<!-- completeness -->\n)[\s\S]*(<!-- \/completeness -->)/,
      `$1${figureTable()}$2`,
    ),
    'docs/operation.md': operation
      .replace(/(<!-- settings -->\n)[\s\S]*(<!-- \/settings -->)/, `$1${settingsTable()}\n$2`)
      .replace(/(<!-- events -->\n)[\s\S]*(<!-- \/events -->)/, `$1${eventTable()}$2`),
  };
}

function figureTable(): string {
  const sent = {
    time: 'ISO 8601, UTC',
    count: 'number',
    micros: 'decimal text',
    truth: 'true or false',
    parts: 'list',
  };
  const rows = Object.entries<Figure>(FIGURES).map(
    ([name, { kind, unit = '', meaning }]) => `| \`${name}\` | ${sent[kind]} | ${unit} | ${meaning} |\n`,
  );
  return ['| figure | sent as | unit | meaning |\n|---|---|---|---|\n', ...rows].join('');
}

function eventTable(): string {
  const rows = Object.entries(AUDIT_EVENTS).map(([event, meaning]) => `| \`${event}\` | ${meaning} |\n`);
  return ['| event | what happened |\n|---|---|\n', ...rows].join('');
}

function datasetTables(): string {
  return DATASETS.filter(({ id }) => id !== 555)
    .map(({ id, name, title, order, columns, parameters }) => {
      const rows = columnRows(columns);
      const further = PNL_BY.columns.slice(PNL.columns.length);
      const by =
        id === PNL.id
          ? ['', `With \`by\`, ordered by ${PNL_BY.order}, also:`, '', ...COLUMN_HEAD, ...columnRows(further)]
          : [];
      const filters = parameters.map((parameter) => filterName(parameter));
      return [
        `### ${title} (${id}, \`lab.${name}()\`)`,
        '',
        `Filters (on the wire / in TypeScript): ${filters.join(', ')}. Order: ${order}.`,
        '',
        ...COLUMN_HEAD,
        ...rows,
        ...by,
        '',
      ].join('\n');
    })
    .concat('Dataset 555 holds the same records as 574, with the filter `closed` alone: `lab.dataset(555)`.\n')
    .join('\n');
}

const COLUMN_HEAD = ['| column | dtype | unit | meaning |', '|---|---|---|---|'];

function columnRows(columns: readonly Column[]): string[] {
  return columns.map(
    ({ name, dtype, nullable, unit = '', meaning }) =>
      `| \`${name}\` | ${dtype}${nullable ? ', null' : ''} | ${unit} | ${meaning} |`,
  );
}

/** A filter by its name on the wire and, where that differs, in TypeScript. */
function filterName({ name, option, required }: Parameter): string {
  return `\`${name}\`${option === name ? '' : ` / \`${option}\``}${required ? ' (required)' : ''}`;
}

async function commandsPage(): Promise<string> {
  const program = (await createProgram()).configureHelp({ helpWidth: 110 });
  const help = (command: Command) => {
    let text = '';
    const writeOut = (part: string) => {
      text += part;
    };
    command.configureHelp({ helpWidth: 110 }).configureOutput({ writeOut });
    command.outputHelp();
    return `\`\`\`text\n${text.trim()}\n\`\`\`\n`;
  };
  // Help leaves out what is hidden.
  const shown = (command: Command) =>
    command
      .createHelp()
      .visibleCommands(command)
      .filter((inner) => inner.name() !== 'help');
  const sections = shown(program).flatMap((command) => [
    `## oddslab ${command.name()}\n`,
    help(command),
    ...shown(command).flatMap((inner) => [`### oddslab ${command.name()} ${inner.name()}\n`, help(inner)]),
  ]);
  return ['# Commands\n', 'As `--help` prints them. Made by `npm run docs`.\n', help(program), ...sections].join('\n');
}

interface Exported {
  name: string;
  file: string;
}

/** The public names in the order of src/index.ts, with the doc comment of each. */
function toolkitPage(): string {
  const sections = new Map<string, string[]>();
  for (const { name, file } of publicExports()) {
    const folder = file.split('/')[0] ?? '';
    const room = file.includes('/') && folder !== 'base' ? folder : 'lab and errors';
    const entries = sections.get(room) ?? [];
    entries.push(`### ${name}\n\n${docOf(name, file)}\n`);
    sections.set(room, entries);
  }
  const pages = [...sections].map(([room, entries]) => `## ${room}\n\n${entries.join('\n')}`);
  return `# The toolkit\n\nEverything that \`import … from 'oddslab'\` gives. Made from the sources by \`npm run docs\`.\n\n${pages.join('\n')}`;
}

/** What src/index.ts exports, by name and source file. */
export function publicExports(): Exported[] {
  const index = readFileSync(join(root, 'src/index.ts'), 'utf8');
  return [...index.matchAll(/export (?:type )?\{([^}]*)\} from '\.\/([^']+)\.js';/g)].flatMap(
    ([, names = '', file = '']) =>
      names
        .split(',')
        .map((name) => name.trim().replace(/^type /, ''))
        .filter(Boolean)
        .map((name) => ({ name, file: `${file}.ts` })),
  );
}

function docOf(name: string, file: string): string {
  const source = readFileSync(join(root, 'src', file), 'utf8');
  const declared = new RegExp(`^export (?:declare )?(?:async )?(function|class|const|interface|type) ${name}\\b`, 'm');
  const found = declared.exec(source);
  const comment = found ? commentBefore(source, found.index) : undefined;
  if (!found || comment === undefined) throw new Error(`${name} has no doc comment in src/${file}`);
  const isBody = found[1] === 'class' || found[1] === 'interface';
  const body = source.slice(found.index).split(/^\}/m)[0] ?? '';
  const signature = found[1] === 'function' ? [signatureAt(source, found.index)] : [];
  return [...signature, markdown(comment), ...(isBody ? members(body) : [])].join('\n\n');
}

/** A function's signature: the text before its body, or its first overload. */
function signatureAt(source: string, index: number): string {
  const [, head = ''] = /^export ([\s\S]*?)(?: \{|;)$/m.exec(source.slice(index)) ?? [];
  return `\`\`\`ts\n${head.replace(/^async /, '').trim()}\n\`\`\``;
}

function commentBefore(source: string, index: number): string | undefined {
  const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(source.slice(0, index))?.[0];
  const lines = comment
    ?.trim()
    .replace(/^\/\*\*\s?|\s*\*\/$/g, '')
    .split('\n');
  return lines
    ?.map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
}

/** The documented members of a class or an interface, without internal and private ones. */
function members(body: string): string[] {
  return [...body.matchAll(/^ {2}(?:readonly |async |get |\*)*(?!async\b|constructor\b)(\w+)[^\n]*/gm)].flatMap(
    ({ 0: line, 1: name = '', index }) => {
      const comment = commentBefore(body, index);
      if (comment === undefined || comment.includes('@internal')) return [];
      const isMethod = line.includes('(') && !/^\s*readonly/.test(line);
      return [`**\`${name}${isMethod ? '()' : ''}\`**: ${markdown(comment)}`];
    },
  );
}

/** A doc comment as Markdown: tags as a list, examples as code, links as names. */
function markdown(comment: string): string {
  const [text = '', ...tags] = comment.replace(/\{@link ([\w.]+)\}/g, '`$1`').split(/^@/m);
  const items = tags.map((tag) => {
    const [, kind = '', rest = ''] = /^(\w+)\s*([\s\S]*)$/.exec(tag.trim()) ?? [];
    if (kind === 'example') return `\n\`\`\`ts\n${rest.trim()}\n\`\`\``;
    const flat = rest.replace(/\s*\n\s*/g, ' ').trim();
    if (kind === 'param') return `- ${flat.replace(/^(\S+)/, '`$1`:')}`;
    const label = { returns: 'Returns', throws: 'Throws', see: 'Source' }[kind];
    return label === undefined ? '' : `- ${label}: ${flat.replace(/^\{(\w+)\}/, '`$1`:')}`;
  });
  return [text.trim(), '', ...items.filter(Boolean)].join('\n').trim();
}

if (process.argv.includes('--write')) {
  for (const [path, text] of Object.entries(await generatedDocs())) writeFileSync(join(root, path), text);
}
