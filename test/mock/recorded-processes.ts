import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { BIN } from '../cli/process.js';

/** Servers and mocks as processes behind `mcp-codegen record`. */

export const NODE = process.execPath;

/** A conversation with a server through a transport: what the client got. */
export type Conversation = (transport: never) => Promise<unknown>;

/** Starts a server, lets a client talk to it through `record`, and makes a recording of that. */
export type Recorder = (server: readonly string[], file: string) => Promise<unknown>;

/** The arguments of Node.js for a server behind `record`. Some clients start it more than once. */
export function recording(file: string, server: readonly string[]): string[] {
  return [BIN, 'record', '--append', '--out', file, '--', NODE, ...server];
}

/** The arguments of Node.js for a mock. */
export function playing(file: string): string[] {
  return [BIN, 'mock', file, '--speed', 'instant'];
}

export function overPipes(talk: Conversation, env: Record<string, string>): Recorder {
  return async (server, file) => {
    const args = recording(file, server);
    const transport = new StdioClientTransport({ command: NODE, args, env, stderr: 'ignore' });
    const seen = await talk(transport as never);
    await transport.close();
    return seen;
  };
}

/** `talk` gets the URL. */
export function overHttp(talk: (url: URL) => Promise<unknown>): Recorder {
  return async (server, file) => {
    const served = await listening([...server, server[0] === BIN ? '--http' : 'http']);
    const proxy = await listening([BIN, 'record', '--out', file, served.url]);
    const seen = await talk(new URL(proxy.url));
    await proxy.stop();
    await served.stop();
    return seen;
  };
}

export function throughHttp(talk: Conversation): (url: URL) => Promise<unknown> {
  return async (url) => {
    const transport = new StreamableHTTPClientTransport(url);
    const seen = await talk(transport as never);
    await transport.close();
    return seen;
  };
}

/** Starts a program that writes where clients connect. */
async function listening(args: readonly string[]): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(NODE, args);
  const closed = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = closed.then(() =>
    Promise.reject(new Error(`${args.join(' ')} ended at its start`)),
  );
  const url = await Promise.race([urlIn(child.stdout), urlIn(child.stderr), ended]);
  ended.catch(() => undefined);
  async function stop(): Promise<void> {
    child.kill('SIGINT');
    await closed;
  }
  return { url, stop };
}

function urlIn(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    createInterface(stream).on('line', (line) => {
      const [, url] = /(?:^|connect to )(http:\S+?)\.?(?:\s|$)/.exec(line) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}
