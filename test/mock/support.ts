import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-mock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What transports of all clients have in common. */
export interface AnyTransport {
  start(): Promise<void>;
  send(message: never, options?: never): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
}

/** Writes each message of a client's transport to a file, as `mcp-codegen record` does. */
export function recordTo(file: string, inner: AnyTransport, session = 1): AnyTransport {
  const write = (direction: string, message: unknown): void => {
    const record = { time: new Date().toISOString(), direction, session, message };
    appendFileSync(file, `${JSON.stringify(record)}\n`);
  };
  const outer: AnyTransport = {
    start() {
      inner.onclose = () => outer.onclose?.();
      inner.onerror = (error) => outer.onerror?.(error);
      inner.onmessage = (message, extra) => {
        write('server->client', message);
        outer.onmessage?.(message, extra);
      };
      return inner.start();
    },
    send(message, options) {
      write('client->server', message);
      return inner.send(message, options);
    },
    close: () => inner.close(),
  };
  return outer;
}
