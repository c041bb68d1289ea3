import { relative, resolve } from 'node:path';
import { quote } from '../../json-schema/text.js';
import { packageVersion } from '../../generator/read/load/version.js';
import { isProtocolName, PROTOCOL_NAME_HELP } from '../../generator/plan/job.js';
import { generate } from '../../generator/plan/generate.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { UsageError } from '../exit.js';
import { insideProject } from '../inside.js';
import { planAndApply, reportPlan } from '../plan.js';
import { locationOf } from '../server-location.js';
import { STRICT } from '../selection.js';
import { secondsOf } from '../timeout.js';

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
    'dry-run': {
      type: 'boolean',
      describe: 'Show the change of each file, and write nothing; exit code 4 if there is one',
    },
    force: { type: 'boolean', describe: 'Overwrite edited files' },
    strict: { type: 'boolean', describe: STRICT },
    ...JSON_OPTION,
  },
  run: async (args, io) => {
    refuseFile(args.server ?? []);
    const location = locationOf(args, io);
    const timeout = secondsOf(args.timeout) * 1000;
    if (args.name !== undefined) refuseName(args.name);
    const { listTools } = await import('../client/connect/index.js');
    const { parseToolList, printToolList, readTools } =
      await import('../../generator/tools/index.js');
    const listed = await listTools(location, {
      timeout,
      version: packageVersion(),
      knowsTasks: true,
      notice: io.notice,
    });
    const name = args.name ?? nameOf(listed.name ?? '');
    const list = printToolList(listed.tools);
    const out =
      args.out === undefined
        ? insideProject(io.cwd, { path: DEFAULT_OUT, source: '.' })
        : resolve(io.cwd, args.out);
    const dryRun = args.dryRun ?? false;
    const request = {
      inputs: [{ name, tools: list, label: name }],
      emits: [],
      errata: true,
      strict: args.strict ?? false,
      force: args.force ?? false,
      prune: false,
    };
    const { plan, diagnostics } = await planAndApply(out, dryRun, (folder) =>
      generate({ ...request, folder }),
    );
    const { tools } = readTools(parseToolList(list, name));
    return reportPlan({
      plan,
      diagnostics,
      out: relative(io.cwd, out) || '.',
      dryRun,
      // `generate` has `check` for this.
      isCheck: true,
      data: { name, tools: tools.map((each) => ({ name: each.name, function: each.identifier })) },
    });
  },
});

/** A list of tools in a file is read by `generate`, and no program has such a name. */
function refuseFile([first = '', ...rest]: readonly string[]): void {
  if (rest.length > 0 || first.includes('://') || !/\.json$/i.test(first)) return;
  throw new UsageError(
    `${quote(first)} is a file, not a server.`,
    'Name it as "source" under "tools" in mcp-codegen.json, and run mcp-codegen generate.',
  );
}

function refuseName(name: string): void {
  if (isProtocolName(name)) return;
  throw new UsageError(`Invalid file name ${quote(name)} for --name.`, PROTOCOL_NAME_HELP);
}

/** A file name from the server's name. */
function nameOf(title: string): string {
  const name = title
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return isProtocolName(name) ? name : 'tools';
}
