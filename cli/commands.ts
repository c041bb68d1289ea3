import { DIALECT_REVISIONS } from '../generator/ir/revisions/index.js';
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
  /** The command that runs when none is named. Default: the help is printed. */
  readonly preset?: string;
}

/** What a person has, and the commands for it. */
export interface Topic {
  readonly have: string;
  readonly example: string;
  /** By name, the most used first. */
  readonly commands: readonly string[];
}

/** Every command is in one topic. */
export const TOPICS: readonly Topic[] = [
  {
    have: 'a server',
    example: 'lock -- npx my-server',
    commands: ['doctor', 'lock', 'lint', 'mock', 'record', 'guard', 'validate'],
  },
  {
    have: 'an idea for a server',
    example: 'new server my-server',
    commands: ['new', 'update', 'cluster'],
  },
  {
    have: 'a schema',
    example: `generate ${DIALECT_REVISIONS.ext} --out src/mcp`,
    commands: ['generate', 'check', 'list', 'diff', 'explore', 'playground', 'schema'],
  },
  {
    have: "someone else's server",
    example: 'call echo message=Hello -- npx -y @modelcontextprotocol/server-everything',
    commands: [
      ...['call', 'describe', 'prompts', 'resources', 'tasks', 'servers', 'login', 'logout'],
      ...['tools', 'completion'],
    ],
  },
];

export const COMMANDS: readonly (CommandEntry | CommandGroup)[] = [
  {
    usage: 'new',
    summary: 'Make a server or a client, or add a tool, a resource or a prompt',
    examples: [
      ['new server my-server', 'asks for the options'],
      ['new client my-client', 'a small program that calls tools'],
      ['new tool look-up', 'add a tool and its test to a server'],
    ],
    commands: [
      {
        usage: 'server [dir]',
        summary: 'Make a server whose tools may run as tasks',
        load: async () => (await import('./commands/new.js')).newServerCommand,
      },
      {
        usage: 'client [dir]',
        summary: 'Make a small client of your own that calls tools and follows tasks',
        load: async () => (await import('./commands/new.js')).newClientCommand,
      },
      {
        usage: 'tool <name>',
        summary: 'Add a tool and its test to a server',
        load: async () => (await import('./commands/new.js')).newToolCommand,
      },
      {
        usage: 'resource <name>',
        summary: 'Add a resource and its test to a server',
        load: async () => (await import('./commands/new.js')).newResourceCommand,
      },
      {
        usage: 'prompt <name>',
        summary: 'Add a prompt and its test to a server',
        load: async () => (await import('./commands/new.js')).newPromptCommand,
      },
    ],
  },
  {
    usage: 'update',
    summary: "Replace a project's runtime, and show what its code needs",
    load: async () => (await import('./commands/update.js')).updateCommand,
  },
  {
    usage: 'cluster [tool] [arguments..]',
    summary: 'Run a server with PostgreSQL as several nodes on this machine',
    load: async () => (await import('./commands/cluster.js')).clusterCommand,
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
    usage: 'playground',
    summary: 'Write a page to check messages and try schemas in the browser',
    load: async () => (await import('./commands/playground.js')).playgroundCommand,
  },
  {
    usage: 'tools [server..]',
    summary: "Write typed functions for a server's tools",
    load: async () => (await import('./commands/tools.js')).toolsCommand,
  },
  {
    usage: 'doctor [server]',
    summary: 'Examine a server: messages, hosts, changes, safety',
    load: async () => (await import('./commands/doctor.js')).doctorCommand,
  },
  {
    usage: 'lock [server]',
    summary: 'Write what a server promises to a file, or show what changed since',
    load: async () => (await import('./commands/lock.js')).lockCommand,
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
    usage: 'record [server]',
    summary: 'Stand between a client and a server, and record their messages',
    load: async () => (await import('./commands/record.js')).recordCommand,
  },
  {
    usage: 'guard [server]',
    summary: 'Stand between a client and a server, and check their messages',
    load: async () => (await import('./commands/guard.js')).guardCommand,
  },
  {
    usage: 'mock [recording]',
    summary: 'Serve what was recorded, or what a lock promises',
    load: async () => (await import('./commands/mock.js')).mockCommand,
  },
  {
    usage: 'describe [tool]',
    summary: "Show a server's tools, prompts and resources, or a tool in detail",
    load: async () => (await import('./commands/describe.js')).describeCommand,
  },
  {
    usage: 'call <tool> [arguments..]',
    summary: "Call a server's tool, and follow its task",
    load: async () => (await import('./commands/call.js')).callCommand,
  },
  {
    usage: 'prompts',
    summary: "List a server's prompts, or get one: list, get",
    preset: 'list',
    examples: [
      ['prompts --server prod', 'the prompts and their arguments'],
      ['prompts get review code=x --server prod', 'the messages of one'],
    ],
    commands: [
      {
        usage: 'list',
        summary: "List a server's prompts",
        load: async () => (await import('./commands/prompts.js')).listPromptsCommand,
      },
      {
        usage: 'get <prompt> [arguments..]',
        summary: "Show a prompt's messages",
        load: async () => (await import('./commands/prompts.js')).getPromptCommand,
      },
    ],
  },
  {
    usage: 'resources',
    summary: "List a server's resources, or read one: list, read",
    preset: 'list',
    examples: [
      ['resources --server prod', 'the resources and templates'],
      ['resources read note://today --server prod', 'the contents of one'],
    ],
    commands: [
      {
        usage: 'list',
        summary: "List a server's resources and templates",
        load: async () => (await import('./commands/resources.js')).listResourcesCommand,
      },
      {
        usage: 'read <uri>',
        summary: "Show a resource's contents",
        load: async () => (await import('./commands/resources.js')).readResourceCommand,
      },
    ],
  },
  {
    usage: 'tasks',
    summary: 'Continue tasks of earlier calls: list, get, watch, resume, cancel',
    preset: 'list',
    examples: [
      ['tasks', 'the tasks that are kept'],
      ['tasks resume 1a2b', 'answer its questions, and wait for its result'],
    ],
    commands: [
      {
        usage: 'list',
        summary: 'List the tasks that are kept',
        load: async () => (await import('./commands/tasks.js')).listTasksCommand,
      },
      {
        usage: 'get <id>',
        summary: "Show a task's state, and its result if there is one",
        load: async () => (await import('./commands/tasks.js')).getTaskCommand,
      },
      {
        usage: 'watch <id>',
        summary: 'Print the states of a task until it ends',
        load: async () => (await import('./commands/tasks.js')).watchTaskCommand,
      },
      {
        usage: 'resume <id>',
        summary: "Answer a task's questions, and wait for its result",
        load: async () => (await import('./commands/tasks.js')).resumeTaskCommand,
      },
      {
        usage: 'cancel <id>',
        summary: 'Cancel a task',
        load: async () => (await import('./commands/tasks.js')).cancelTaskCommand,
      },
    ],
  },
  {
    usage: 'login',
    summary: 'Log in at a server with OAuth',
    load: async () => (await import('./commands/login.js')).loginCommand,
  },
  {
    usage: 'logout',
    summary: 'Revoke and delete the tokens of a login',
    load: async () => (await import('./commands/login.js')).logoutCommand,
  },
  {
    usage: 'servers',
    summary: 'Servers with names: list, add, remove',
    preset: 'list',
    examples: [
      ['servers', 'the saved ones, and those of VS Code, Cursor and Claude'],
      ['servers add prod --server https://example.com/mcp', 'then: --server prod'],
    ],
    commands: [
      {
        usage: 'list',
        summary: 'List the servers with names, and their files',
        load: async () => (await import('./commands/servers.js')).listServersCommand,
      },
      {
        usage: 'add <name>',
        summary: 'Save a server under a name',
        load: async () => (await import('./commands/servers.js')).addServerCommand,
      },
      {
        usage: 'remove <name>',
        summary: 'Forget a saved server',
        load: async () => (await import('./commands/servers.js')).removeServerCommand,
      },
    ],
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
