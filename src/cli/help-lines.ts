import type { Command } from 'commander';

/** Lays out help texts as wide as the reader's terminal: see {@link helpLines}. */
export interface HelpLines {
  /** A text as a paragraph. */
  paragraph(text: string): string;
  /** Terms indented by two spaces, with their meanings beside them; wrapped lines stay below the meaning. */
  items(items: readonly (readonly [term: string, meaning: string])[]): string;
}

/** Wraps text as wide as the command's own help: to the terminal's width, or to 80 columns without a terminal. */
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
