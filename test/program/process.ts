import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';

import { createTaskClient, type TaskClient } from '../../runtime/client/index.js';
import { compiled } from '../support/program.js';

/** Processes of `app.ts`. */

const SOURCE = new URL('./app.ts', import.meta.url);
const APP = [compiled(SOURCE)];
/** The board reads its page from the folder of its sources. */
const APP_WITH_BOARD = ['--import', import.meta.resolve('tsx'), fileURLToPath(SOURCE)];

export type Environment = Readonly<Record<string, string>>;

/** A folder that the test removes. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface ProgramProcess {
  readonly child: ChildProcess;
  /** Lines of both streams. */
  readonly lines: readonly string[];
  /** Resolves with the first line that matches, also one from before. Rejects when the process ends without it. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** Everything on both streams, when the process has ended. */
  ended(): Promise<{ readonly code: number | null; readonly output: string }>;
}

export interface StartOptions {
  /** Of `app.ts`. */
  readonly parts: string;
  readonly project: string;
  readonly environment?: Environment;
  readonly args?: readonly string[];
  /** The working folder. Default: the root of the disk, as some hosts start servers. */
  readonly cwd?: string;
  /** Options of Node.js. */
  readonly node?: readonly string[];
}

function environmentOf({ parts, project, environment = {} }: StartOptions): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, PARTS: parts, PROJECT: project, ...environment };
}

/** How the program is started. */
export function commandOf(options: StartOptions) {
  const { args = [] } = options;
  return {
    command: process.execPath,
    args: [...APP, ...args],
    environment: environmentOf(options),
  };
}

/** Starts the program. Its standard input is empty, so a server over stdio ends at once. */
export function start(options: StartOptions): ProgramProcess {
  const { args = [], cwd = '/', node = [] } = options;
  const app = args[0] === 'board' ? APP_WITH_BOARD : APP;
  const child = spawn(process.execPath, [...node, ...app, ...args], {
    ...{ cwd, env: environmentOf(options), stdio: ['ignore', 'pipe', 'pipe'] },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const lines: string[] = [];
  const heard = new EventEmitter();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      heard.emit('line');
    });
  }
  const closed = once(child, 'close') as Promise<[number | null]>;
  return {
    child,
    lines,
    async said(pattern) {
      for (;;) {
        const match = lines.map((line) => pattern.exec(line)).find((each) => each !== null);
        if (match) return match;
        const isOver = await Promise.race([
          once(heard, 'line').then(() => false),
          closed.then(() => true),
        ]);
        if (isOver && !lines.some((line) => pattern.test(line))) {
          throw new Error(`The program ended without ${String(pattern)}:\n${output}`);
        }
      }
    },
    async ended() {
      const [code] = await closed;
      return { code, output };
    },
  };
}

/** Runs the program to its end. */
export function run(
  options: StartOptions,
): Promise<{ readonly code: number | null; readonly output: string }> {
  return start(options).ended();
}

/** A client of the program, in the newest revision, over the transport that the program has. */
export async function connect(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
): Promise<TaskClient> {
  const client = createTaskClient({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Starts the program over stdio; `said` gets its lines on standard error. */
export function stdioTransport(
  options: StartOptions,
  said: (line: string) => void = () => undefined,
): StdioClientTransport {
  const { cwd = '/' } = options;
  const { command, args, environment } = commandOf(options);
  const transport = new StdioClientTransport({
    ...{ command, args, cwd, env: environment, stderr: 'pipe' },
  });
  createInterface(transport.stderr as Readable).on('line', said);
  return transport;
}

export function httpTransport(url: string, token?: string): StreamableHTTPClientTransport {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}

/** The URL at which the program says that it serves. */
export async function urlOf(program: ProgramProcess): Promise<string> {
  const [, url = ''] = await program.said(/Serving at ([^\s"]+)/);
  return url;
}
