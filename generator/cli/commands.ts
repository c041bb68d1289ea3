import type { Command } from './command.js';

/** A command in the overview. The rest of it is loaded when it is called. */
export interface CommandEntry {
  /** In the notation of yargs. */
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

export interface CommandGroup {
  readonly usage: string;
  readonly summary: string;
  readonly examples: Command['examples'];
  readonly commands: readonly CommandEntry[];
}

export const COMMANDS: readonly (CommandEntry | CommandGroup)[] = [
  {
    usage: 'new',
    summary: 'Start a server or a client, or add a tool to a server',
    examples: [
      ['new server my-server', 'asks for the options'],
      ['new client my-client', 'a command line for any server'],
      ['new tool look-up', 'add a tool and its test to a server'],
    ],
    commands: [
      {
        usage: 'server [dir]',
        summary: 'Make a server whose tools may run as tasks',
        load: async () => (await import('./commands/new-server.js')).newServerCommand,
      },
      {
        usage: 'client [dir]',
        summary: 'Make a small client of your own that calls tools and follows tasks',
        load: async () => (await import('./commands/new-client.js')).newClientCommand,
      },
      {
        usage: 'tool <name>',
        summary: 'Add a tool and its test to a server',
        load: async () => (await import('./commands/new-tool.js')).newToolCommand,
      },
    ],
  },
  {
    usage: 'update',
    summary: "Replace a project's runtime",
    load: async () => (await import('./commands/update.js')).updateCommand,
  },
  {
    usage: 'generate [revisions..]',
    summary: 'Write TypeScript for revisions or other schemas',
    load: async () => (await import('./commands/generate.js')).generateCommand,
  },
  {
    usage: 'check [revisions..]',
    summary: 'Check whether the generated files are up to date',
    load: async () => (await import('./commands/check.js')).checkCommand,
  },
  {
    usage: 'list [revision]',
    summary: 'List the revisions, the methods of one, or an output folder',
    load: async () => (await import('./commands/list.js')).listCommand,
  },
  {
    usage: 'diff <before> <after>',
    summary: 'Show what changed, and which side it breaks',
    load: async () => (await import('./commands/diff.js')).diffCommand,
  },
  {
    usage: 'explore [revision]',
    summary: 'Write a revision as a page to read and search',
    load: async () => (await import('./commands/explore.js')).exploreCommand,
  },
  {
    usage: 'tools [server..]',
    summary: "Write typed functions for a server's tools",
    load: async () => (await import('./commands/tools.js')).toolsCommand,
  },
  {
    usage: 'lint [subject..]',
    summary: 'Show what hosts refuse or misread in tools',
    load: async () => (await import('./commands/lint.js')).lintCommand,
  },
  {
    usage: 'validate [files..]',
    summary: 'Check recorded messages by their methods',
    load: async () => (await import('./commands/validate.js')).validateCommand,
  },
  {
    usage: 'schema',
    summary: 'Examine schemas: verify, errata',
    examples: [
      ['schema verify schema.json', 'which revision is this?'],
      ['schema errata', 'what is corrected, and why'],
    ],
    commands: [
      {
        usage: 'verify <file>',
        summary: 'Find the revision with the structure of a schema',
        load: async () => (await import('./commands/schema-verify.js')).verifyCommand,
      },
      {
        usage: 'errata [revision]',
        summary: 'List the corrections to the bundled schemas',
        load: async () => (await import('./commands/schema-errata.js')).errataCommand,
      },
    ],
  },
  {
    usage: 'completion <shell>',
    summary: 'Print completions for bash or zsh',
    load: async () => (await import('./commands/completion.js')).completionCommand,
  },
];
