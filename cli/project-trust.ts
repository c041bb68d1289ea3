import { createHash } from 'node:crypto';
import { relative, resolve } from 'node:path';
import type { NamedServer } from './client/index.js';
import { many, printableLines } from '../generator/diagnostics/index.js';
import { printable } from '../json-schema/text.js';
import type { ProtocolInput } from '../generator/plan/generate.js';
import { ANY_URI, isUrl, shownLocation, withoutPointer } from '../generator/read/load/index.js';
import type { OptionTable } from './command.js';
import type { ConfiguredLock } from './config-file.js';
import { CommandFailure, EXIT } from './exit.js';
import { isInside } from './inside.js';
import type { Io } from './io.js';
import type { SelectedTools } from './tools-selection.js';

/** What a file of a project names, which a stranger may have written. */
export interface Project {
  /** For users: `mcp-codegen.json`. */
  readonly file: string;
  readonly folder: string;
  readonly inputs: readonly ProtocolInput[];
  readonly tools: readonly SelectedTools[];
  readonly locks: readonly ConfiguredLock[];
}

type Part = 'inputs' | 'tools' | 'locks';

/** Something that a command would do beyond the project's folder, because its file says so. */
interface Use {
  readonly part: Part;
  readonly does: 'starts' | 'asks' | 'reads';
  /** For users, without secrets. */
  readonly what: string;
  /** All of it, so that each change of it is noticed. */
  readonly content: unknown;
}

export const TRUST_OPTIONS = {
  trust: {
    type: 'boolean',
    describe:
      'Start and ask what the file of the project names, now and later (CI: MCP_CODEGEN_TRUST)',
  },
} as const satisfies OptionTable;

export interface TrustArguments {
  readonly trust?: boolean | undefined;
  readonly noInput?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/**
 * Returns when the user trusts what the command would start, ask and read for these parts of the project's file; it is
 * announced on standard error. The user's word counts for all of the file, in this folder, until that changes.
 *
 * @throws {CommandFailure} with exit code 2, before anything was started, sent or read.
 */
export async function assertTrusted(
  project: Project | undefined,
  parts: readonly Part[],
  args: TrustArguments,
  io: Io,
): Promise<void> {
  if (project === undefined) return;
  const uses = await usesOf(project, io);
  const needed = uses.filter(({ part }) => parts.includes(part));
  if (needed.length === 0) return;
  const contents = uses.map(({ part, does, content }) => [part, does, content]);
  const hash = createHash('sha256').update(JSON.stringify(contents)).digest('hex');
  if (!(await isTrusted(project, { uses, hash }, args, io))) {
    throw untrusted(project, { uses, hash }, needed);
  }
  for (const use of needed) io.err.write(`${printable(project.file)} ${shown(use)}\n`);
}

interface Asked {
  readonly uses: readonly Use[];
  readonly hash: string;
}

async function isTrusted(
  { file, folder }: Project,
  { uses, hash }: Asked,
  { trust, noInput, json }: TrustArguments,
  io: Io,
): Promise<boolean> {
  const allowed = (io.env['MCP_CODEGEN_TRUST'] ?? '').split(/[\s,]+/);
  if (allowed.includes('1') || allowed.includes(hash)) return true;
  const { openTrust } = await import('./client/index.js');
  const book = openTrust(io.env);
  const problem = (error: unknown): false => {
    io.err.write(`${printable(error instanceof Error ? error.message : String(error))}\n`);
    return false;
  };
  if (trust !== true) {
    if (await book.has({ folder, hash }).catch(problem)) return true;
    if (io.terminal === undefined || noInput === true || json === true) return false;
    const { askWhether } = await import('./prompts.js');
    io.terminal.output.write(
      `${printable(file)} wants more than its folder:\n${list(uses)}${GETS}`,
    );
    if (!(await askWhether('Do you trust it?', io.terminal, false))) return false;
  }
  // The word counts for this run also where it cannot be kept.
  await book.add({ folder, hash }).catch(problem);
  return true;
}

const GETS =
  'A program that is started gets your environment, without MCP_TOKEN and MCP_CLIENT_SECRET. An address gets your login there,\n' +
  'and for a lock MCP_TOKEN.\n';

function shown({ does, what }: Pick<Use, 'does' | 'what'>): string {
  return `${does} ${printableLines(what)}`;
}

function list(uses: readonly Use[]): string {
  return uses.map((use) => `  ${shown(use)}\n`).join('');
}

function untrusted(
  { file }: Project,
  { uses, hash }: Asked,
  needed: readonly Use[],
): CommandFailure {
  const offline = needed.every(({ part }) => part === 'locks')
    ? ' check --offline needs none of it.'
    : '';
  return new CommandFailure(
    `${file} names ${many(uses.length, 'thing')} beyond its folder that you have not trusted, so nothing was started, asked or read:\n${list(uses).trimEnd()}`,
    EXIT.usage,
    `If you trust it, add --trust once, or in CI set MCP_CODEGEN_TRUST=${hash}.${offline}`,
    {
      reason: 'untrusted',
      file,
      hash,
      uses: uses.map(({ does, what }) => ({ does, what })),
    },
  );
}

/** In the order of the file. */
async function usesOf({ folder, inputs, tools, locks }: Project, io: Io): Promise<Use[]> {
  const path = (file: string): string => relative(folder, file) || '.';
  const reads = (part: Part, file: string): Use[] =>
    isInside(folder, file) ? [] : [{ part, does: 'reads', what: path(file), content: path(file) }];
  const uses: Use[] = inputs.flatMap((input) => {
    if ('revision' in input) return [];
    const { location, refs = [] } = input;
    const source: Use[] = isUrl(location)
      ? [{ part: 'inputs', does: 'asks', what: shownLocation(location), content: location }]
      : reads('inputs', resolve(io.cwd, withoutPointer(location)));
    return [
      ...source,
      ...refs.flatMap(({ uri, file }) =>
        reads('inputs', resolve(io.cwd, file)).map((use) =>
          uri === ANY_URI ? { ...use, what: `all schemas in ${use.what}` } : use,
        ),
      ),
    ];
  });
  for (const { from } of tools) {
    if ('file' in from) uses.push(...reads('tools', from.file));
    if ('server' in from) uses.push(await serverUse('tools', from.server, from.folder, io));
  }
  for (const { server, folder: at } of locks) {
    uses.push(await serverUse('locks', server, at, io));
  }
  return uses;
}

/** `server` as in a configuration: a URL, a name, or a command and its arguments. */
async function serverUse(
  part: Part,
  server: string | readonly string[],
  folder: string,
  io: Io,
): Promise<Use> {
  const { openBook, shownServer } = await import('./client/index.js');
  const words = [server].flat();
  const [first = '', ...args] = words;
  if (isUrl(first))
    return { part, does: 'asks', what: shownServer({ url: first }), content: words };
  if (typeof server !== 'string') {
    return { part, does: 'starts', what: shownServer({ command: first, args }), content: words };
  }
  const ask = (): Promise<never> => Promise.reject(new Error('Nothing is asked yet'));
  const found = await openBook({ cwd: folder, env: io.env, ask })
    .find(server)
    .catch(() => undefined);
  return found === undefined
    ? { part, does: 'asks', what: `the server ${server}`, content: words }
    : namedUse(part, found, shownServer(found.location));
}

/** The file of a project may change what a name means, so all of its entry counts. */
function namedUse(
  part: Part,
  { name, exact, location, notice, written }: NamedServer,
  at: string,
): Use {
  const what = notice === undefined ? `your server ${name}, ${at}` : notice();
  return { part, does: 'asks', what, content: [exact, location, written] };
}
