import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  CallError,
  type InputHandlers,
  type OpenChannel,
  statusOf,
  type TaskClient,
} from '../client/index.js';
import { wayClient, type Way } from './ways.js';
import { headersFor, linesChannel, readLines } from './lines.js';

export interface ProgramOptions {
  /** All of its environment, beside `PATH`, `PORT=0` and `LOG_LEVEL=info`, which it may replace. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Arguments of the command line. */
  readonly args?: readonly string[];
  /** The working directory. Default: that of this process. */
  readonly cwd?: string;
  /** Milliseconds for the start, and for each handshake. Default: 30,000. */
  readonly timeout?: number;
}

export interface ProgramConnectOptions {
  /** The bearer token, over HTTP. */
  readonly token?: string;
  /** Answers what the server asks. */
  readonly answer?: InputHandlers;
  /** Default: the newest revision of the server, with tasks. */
  readonly way?: Way;
}

/** How a process ended: one of them is null. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server in a process of its own. */
export interface TestProgram {
  readonly pid: number;
  /** The address that it serves at; undefined over stdio. */
  readonly url: string | undefined;
  /** What it has written to standard error. */
  readonly stderr: string;
  /** What its clients reported beside answers, such as lines on standard output that are not JSON. */
  readonly errors: readonly Error[];
  /** Resolves when it has ended. */
  readonly ended: Promise<ProgramEnd>;
  /**
   * A connected client, which `stop` and `kill` close. A program over stdio has one client. Rejects with a `CallError`,
   * whose message has the HTTP status of a refusal.
   */
  connect(options?: ProgramConnectOptions): Promise<TaskClient>;
  /**
   * Ends it as an operator does: SIGTERM, so that tasks may finish. After the `timeout` of the options it is killed. Safe
   * to call again.
   */
  stop(): Promise<ProgramEnd>;
  /** Ends it as a crash does: SIGKILL. Safe to call again. */
  kill(): Promise<ProgramEnd>;
  [Symbol.asyncDispose](): Promise<void>;
}

const TIMEOUT_MS = 30_000;
/** Characters of standard error that an error quotes. */
const QUOTED = 2_000;
/** Milliseconds after the end of a process in which its last lines are read. */
const PIPES_MS = 1_000;

/**
 * Starts the main program of a server, `main.ts` or the built `main.js`, and resolves when it serves. A path is relative
 * to the working directory. Rejects with what the program wrote to standard error when it ends before, or does not serve
 * in time.
 */
export async function startProgram(
  main: URL | string,
  options: ProgramOptions = {},
): Promise<TestProgram> {
  const path = typeof main === 'string' ? resolve(main) : fileURLToPath(main);
  const { environment = {}, args = [], cwd, timeout = TIMEOUT_MS } = options;
  const child = spawn(process.execPath, [...loaderFor(path), path, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { ...INHERITED, PORT: '0', LOG_LEVEL: 'info', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const program = new RunningProgram(child, path, timeout);
  try {
    await program.started();
    return program;
  } catch (error) {
    await program.kill();
    throw error;
  }
}

/** What Node.js itself needs. */
const INHERITED: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  ...(process.platform === 'win32' && { SystemRoot: process.env['SystemRoot'] }),
};

/** The options of Node.js that let it run the file. TypeScript needs `tsx` of the project, or a newer Node.js. */
function loaderFor(path: string): string[] {
  if (!/\.[cm]?tsx?$/.test(path)) return [];
  try {
    return ['--import', pathToFileURL(createRequire(path).resolve('tsx')).href];
  } catch (cause) {
    if ((process.features as { typescript?: unknown }).typescript) return [];
    const mend = 'Run: npm install --save-dev tsx';
    throw new Error(`${path} needs the package tsx, which is not installed. ${mend}`, { cause });
  }
}

/** The members of the line that a program logs when it serves. */
interface StartLine {
  readonly event?: unknown;
  readonly address?: unknown;
}

class RunningProgram implements TestProgram {
  readonly pid: number;
  readonly ended: Promise<ProgramEnd>;
  readonly errors: Error[] = [];
  url: string | undefined;
  readonly #child: ChildProcess;
  readonly #path: string;
  readonly #timeout: number;
  readonly #written: string[] = [];
  readonly #clients = new Set<TaskClient>();
  readonly #atExit: () => void;
  #stdio: OpenChannel | undefined;

  constructor(child: ChildProcess, path: string, timeout: number) {
    this.#child = child;
    this.#path = path;
    this.#timeout = timeout;
    this.pid = child.pid ?? 0;
    this.#atExit = () => child.kill('SIGKILL');
    process.once('exit', this.#atExit);
    // `close` comes after the last line of standard error.
    this.ended = new Promise((resolve) => {
      let patience: NodeJS.Timeout | undefined;
      child.once('error', (error) => this.#written.push(error.message));
      child.once('exit', () => (patience = setTimeout(destroyPipes, PIPES_MS, child)));
      child.once('close', (code, signal) => {
        clearTimeout(patience);
        process.off('exit', this.#atExit);
        resolve({ code, signal });
      });
    });
  }

  get stderr(): string {
    return this.#written.join('');
  }

  /** Resolves when the program serves. */
  async started(): Promise<void> {
    const { stdin, stdout, stderr } = this.#child;
    if (stdin === null || stdout === null || stderr === null) throw new Error('No pipes');
    const address = new Promise<string>((resolve) => {
      readLines(stderr, (line) => {
        this.#written.push(`${line}\n`);
        const found = addressIn(line);
        if (found !== undefined) resolve(found);
      });
    });
    const found = await this.#inTime(address);
    if (found.startsWith('http')) {
      this.url = found;
      stdout.resume();
    } else {
      this.#stdio = linesChannel(stdout, stdin, (error) => void this.errors.push(error));
    }
  }

  async #inTime(address: Promise<string>): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const fail = (): void =>
        reject(new Error(this.#explained(`did not serve within ${this.#timeout} ms`)));
      timer = setTimeout(fail, this.#timeout);
    });
    const over = this.ended.then(({ code, signal }): never => {
      throw new Error(this.#explained(`ended at its start with ${signal ?? `exit code ${code}`}`));
    });
    try {
      return await Promise.race([address, late, over]);
    } finally {
      clearTimeout(timer);
      over.catch(() => undefined);
    }
  }

  #explained(what: string): string {
    const said = this.stderr.trim().slice(-QUOTED);
    return `${this.#path} ${what}.${said === '' ? ' Standard error is empty.' : `\n${said}`}`;
  }

  async connect({ token, answer, way }: ProgramConnectOptions = {}): Promise<TaskClient> {
    const client = wayClient({ way, answer, onError: (error) => void this.errors.push(error) });
    const to = this.url ?? this.#takeStdio();
    const headers = headersFor(token);
    this.#clients.add(client);
    try {
      await client.connect(to, { timeout: this.#timeout, headers });
    } catch (error) {
      throw notConnected(this.url ?? this.#path, error);
    }
    return client;
  }

  #takeStdio(): OpenChannel {
    const channel = this.#stdio;
    this.#stdio = undefined;
    if (channel !== undefined) return channel;
    throw new Error('A program over stdio has one client: start another program');
  }

  stop(): Promise<ProgramEnd> {
    return this.#end('SIGTERM');
  }

  kill(): Promise<ProgramEnd> {
    return this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<ProgramEnd> {
    this.#child.kill(signal);
    const impatience = setTimeout(() => this.#child.kill('SIGKILL'), this.#timeout);
    const end = await this.ended;
    clearTimeout(impatience);
    await Promise.allSettled([...this.#clients].map((client) => client.close()));
    return end;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** A process that the program has started may keep the pipes open, and there would be no `close`. */
function destroyPipes({ stdin, stdout, stderr }: ChildProcess): void {
  for (const pipe of [stdin, stdout, stderr]) pipe?.destroy();
}

/** The failure of a handshake, with the HTTP status that the server answered, if it answered one. */
function notConnected(to: string, error: unknown): unknown {
  if (!(error instanceof CallError)) return error;
  const status = statusOf(error.cause);
  const answered = status === undefined ? '' : `HTTP ${status}: `;
  const message = `Cannot connect to ${to}: ${answered}${error.message}`;
  return new CallError(error.failure, message, { cause: error });
}

/** The address in the line that says that a program serves, as JSON or as text. */
function addressIn(line: string): string | undefined {
  const [, written] = /^Serving at (.+)$/.exec(line) ?? [];
  if (written !== undefined || !line.startsWith('{')) return written;
  try {
    const { event, address } = JSON.parse(line) as StartLine;
    return event === 'started' && typeof address === 'string' ? address : undefined;
  } catch {
    return undefined;
  }
}
