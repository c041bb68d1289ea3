import { existsSync, readFileSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import stripJsonComments from 'strip-json-comments';
import { homeFolder } from './folders.js';
import type { Env } from './io.js';

/** The programs whose files are read. */
export type Program = 'vscode' | 'cursor' | 'claude' | 'claude-desktop';

/**
 * Where a server comes from, as `--server vscode:name` says it. The files of a project have sources of their own, so
 * that none of them can take the exact name of a server of the user.
 */
export type Source = Program | `${Program}-project` | 'claude-local';

/** A file in which a program keeps its servers. */
export interface McpFile {
  readonly program: Program;
  readonly source: Source;
  readonly path: string;
  /** The folder of the project that it belongs to; undefined for a file of the user. */
  readonly project: string | undefined;
  /** The table of servers in the content of the file. */
  readonly serversIn: (content: unknown) => unknown;
}

/** What a file contains, or why it cannot be used. */
export type FileContent =
  | { readonly servers: Readonly<Record<string, unknown>>; readonly inputs: unknown }
  | { readonly problem: string };

/** Bytes of a file. Claude Code keeps its history in the same file. */
const MOST = 32 * 1024 * 1024;

/**
 * The files that exist, the nearest first: those of the current folder, of the folders above it in the same
 * repository, and of the user.
 */
export function mcpFiles(cwd: string, env: Env): McpFile[] {
  const ofUser = userFiles(env);
  const own = new Set(ofUser.map(({ path }) => path));
  // In the user's own folder, a file may have the path of a project's.
  const ofProjects = projectFolders(cwd)
    .flatMap((folder) => projectFiles(folder, env))
    .filter(({ path, project }) => project === undefined || !own.has(path));
  return [...ofProjects, ...ofUser].filter(({ path }) => existsSync(path));
}

export function readMcpFile({ path, serversIn }: McpFile): FileContent {
  try {
    const file = statSync(path);
    // A link to a device would be read without end.
    if (!file.isFile()) return { problem: 'it is no regular file' };
    if (file.size > MOST) return { problem: 'it is larger than 32 MiB' };
    const content = parseJsonc(readFileSync(path, 'utf8'));
    const servers = serversIn(content);
    const isTable = typeof servers === 'object' && servers !== null && !Array.isArray(servers);
    // A file of settings need not have servers.
    return {
      servers: isTable ? (servers as Record<string, unknown>) : {},
      inputs: member(content, 'inputs'),
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { problem: code === undefined ? 'it is not JSON' : `it cannot be read (${code})` };
  }
}

/** Folders above the repository may be those of other users, so they are not read. */
function projectFolders(cwd: string): string[] {
  const folders = [cwd];
  for (let folder = cwd; !existsSync(join(folder, '.git'));) {
    const above = dirname(folder);
    if (above === folder) return [cwd];
    folders.push((folder = above));
  }
  return folders;
}

function projectFiles(folder: string, env: Env): McpFile[] {
  const file = (program: Program, path: string, serversIn: McpFile['serversIn']): McpFile => ({
    program,
    source: `${program}-project`,
    path,
    project: folder,
    serversIn,
  });
  const claude = join(homeFolder(env), '.claude.json');
  return [
    file('vscode', join(folder, '.vscode', 'mcp.json'), (content) => member(content, 'servers')),
    file('cursor', join(folder, '.cursor', 'mcp.json'), mcpServers),
    // The servers that the user added for this project alone. The file is the user's own.
    {
      ...file('claude', claude, (content) =>
        mcpServers(member(member(content, 'projects'), folder)),
      ),
      source: 'claude-local',
      project: undefined,
    },
    file('claude', join(folder, '.mcp.json'), mcpServers),
  ];
}

function userFiles(env: Env): McpFile[] {
  const home = homeFolder(env);
  const data = dataFolder(env, home);
  const file = (program: Program, path: string, serversIn = mcpServers): McpFile => ({
    program,
    source: program,
    path,
    project: undefined,
    serversIn,
  });
  return [
    file('vscode', join(data, 'Code', 'User', 'mcp.json'), (content) => member(content, 'servers')),
    file('cursor', join(home, '.cursor', 'mcp.json')),
    file('claude', join(home, '.claude.json')),
    file('claude-desktop', join(data, 'Claude', 'claude_desktop_config.json')),
  ];
}

/** Where desktop programs keep the settings of a user. */
function dataFolder(env: Env, home: string): string {
  if (platform() === 'darwin') return join(home, 'Library', 'Application Support');
  const given = platform() === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME'];
  if (given !== undefined && isAbsolute(given)) return given;
  return platform() === 'win32' ? join(home, 'AppData', 'Roaming') : join(home, '.config');
}

const mcpServers = (content: unknown): unknown => member(content, 'mcpServers');

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** The path for users: relative to the project's folder, or beginning at the user's own folder. */
export function shownFile({ path, project }: McpFile, env: Env): string {
  if (project !== undefined) return path.slice(project.length + 1);
  const home = homeFolder(env);
  return path.startsWith(home) ? join('~', path.slice(home.length)) : basename(path);
}

/** JSON with comments and trailing commas, as VS Code writes it. @throws {SyntaxError} */
export function parseJsonc(text: string): unknown {
  return JSON.parse(stripJsonComments(text.replace(/^\uFEFF/, ''), { trailingCommas: true }));
}
