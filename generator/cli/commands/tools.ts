import { relative, resolve } from 'node:path';
import type { ServerLocation } from '../../connect/index.js';
import { quote } from '../../diagnostics/index.js';
import { header } from '../../header.js';
import { packageVersion } from '../../load/index.js';
import { isProtocolName } from '../../pipeline.js';
import { applyPlan, conflictsOf, diskFolder, makePlan, sha256 } from '../../write/index.js';
import type { Wanted } from '../../write/index.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { UsageError } from '../exit.js';
import type { Io } from '../io.js';
import { reportPlan } from '../plan.js';

/** Not the folder of `generate`, which deletes generated files that `mcp-codegen.json` does not list. */
const DEFAULT_OUT = 'generated/tools';

const text = { type: 'string', requiresArg: true } as const;

export const toolsCommand = defineCommand({
  examples: [
    ['tools https://example.com/mcp', 'the tools of a running server'],
    ['tools -- npx my-server --verbose', 'of a server that this command starts'],
    ['tools https://example.com/mcp --name weather --out src/tools', 'src/tools/weather.ts'],
  ],
  positionals: {
    server: {
      type: 'string',
      array: true,
      describe: 'URL, or after "--" the command that starts the server',
    },
  },
  verbatim: 'server',
  options: {
    out: { ...text, describe: `The output folder (default: ${DEFAULT_OUT})` },
    name: { ...text, describe: "The file's name (default: the server's name)" },
    header: {
      ...text,
      array: true,
      nargs: 1,
      describe: 'An HTTP header for the URL, "Name: value"; may be repeated',
    },
    timeout: { ...text, describe: 'Seconds to wait for the server (default: 30)' },
    'dry-run': { type: 'boolean', describe: 'Show the change of each file, and write nothing' },
    force: { type: 'boolean', describe: 'Overwrite edited files' },
    ...JSON_OPTION,
  },
  run: async (args, io) => {
    const location = locationOf(args, io);
    const timeout = secondsOf(args.timeout ?? '30') * 1000;
    if (args.name !== undefined) refuseName(args.name);
    const { listTools } = await import('../../connect/index.js');
    const { emitTools, readTools } = await import('../../tools/index.js');
    const listed = await listTools(location, { timeout, version: packageVersion() });
    const { tools, diagnostics } = readTools(listed.tools);
    const name = args.name ?? nameOf(listed.name ?? '');
    const source = JSON.stringify(tools);
    const above = header({
      label: name,
      text: source,
      command: ['tools', '<server>', '--name', name],
    });
    const wanted: Wanted = {
      name,
      input: sha256(source),
      clean: diagnostics.length === 0,
      files: new Map([[`${name}.ts`, { text: above + (await emitTools(tools)) }]]),
    };
    const out = resolve(io.cwd, args.out ?? DEFAULT_OUT);
    const folder = diskFolder(out);
    const plan = makePlan(folder, [wanted], { force: args.force ?? false, prune: false });
    const dryRun = args.dryRun ?? false;
    if (!dryRun && conflictsOf(plan).length === 0) applyPlan(plan, folder);
    return reportPlan({
      plan,
      diagnostics: diagnostics.map((each) => ({ ...each, source: name })),
      out: relative(io.cwd, out) || '.',
      dryRun,
      data: { name, tools: tools.map((each) => ({ name: each.name, function: each.identifier })) },
    });
  },
});

/** @throws {UsageError} */
function locationOf(
  {
    server = [],
    header: headers = [],
  }: {
    readonly server?: readonly string[] | undefined;
    readonly header?: readonly string[] | undefined;
  },
  { cwd, env }: Io,
): ServerLocation {
  const [first, ...args] = server;
  if (first === undefined) {
    throw new UsageError(
      'No server is given.',
      'Give the URL of a running server, or -- and the command that starts one.',
    );
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(first)) {
    const url = URL.canParse(first) ? new URL(first) : undefined;
    if (args.length > 0)
      throw new UsageError(`Unexpected argument ${quote(args[0] ?? '')} after the URL.`);
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
      throw new UsageError(`Cannot connect to ${quote(first)}.`, 'Give an http or https URL.');
    }
    return { url, headers: Object.fromEntries(headers.map(parseHeader)) };
  }
  if (headers.length > 0) {
    throw new UsageError('--header needs a server URL.', 'Give a URL, or remove --header.');
  }
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { command: first, args, cwd, env: Object.fromEntries(kept) };
}

function parseHeader(line: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):[ \t]*([\t\x20-\x7e]*)$/.exec(line) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  // The message does not quote the header, because its value may be a secret.
  throw new UsageError('--header is not "Name: value".', 'Use --header "Authorization: Bearer …".');
}

function secondsOf(written: string): number {
  const seconds = Number(written);
  if (seconds > 0 && seconds <= 3600) return seconds;
  throw new UsageError(
    `--timeout is ${quote(written)}, not a number of seconds.`,
    'Give a number above 0, at most 3600.',
  );
}

function refuseName(name: string): void {
  if (isProtocolName(name)) return;
  throw new UsageError(
    `Invalid file name ${quote(name)} for --name.`,
    'Use letters, digits, "_", "-" and ".".',
  );
}

/** A file name from the server's name. */
function nameOf(title: string): string {
  const name = title
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return isProtocolName(name) ? name : 'tools';
}
