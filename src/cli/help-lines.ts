import type { Command } from 'commander';

/** Lays out help beneath the options, as wide as the reader's terminal: see {@link helpLines}. */
export interface HelpLines {
  /** A text as a paragraph. */
  paragraph(text: string): string;
  /** Terms with their meanings beside them, two spaces in; what wraps stays beneath the meaning. */
  items(items: readonly (readonly [term: string, meaning: string])[]): string;
}

/** Wraps text as the command's own help is wrapped: to the terminal, or 80 columns where there is none. */
export function helpLines(command: Command): HelpLines {
  const help = command.createHelp();
  const helpWidth = command.configureOutput().getOutHelpWidth?.();
  help.prepareContext(helpWidth === undefined ? {} : { helpWidth });
  return {
    paragraph: (text) => help.boxWrap(text, help.helpWidth ?? 80),
    items(items) {
      const width = Math.max(...items.map(([term]) => term.length));
      return items.map(([term, meaning]) => help.formatItem(term, width, meaning, help)).join('\n');
    },
  };
}
