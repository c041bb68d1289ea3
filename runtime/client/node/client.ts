import type { RevisionVersion } from '../../protocol.js';
import {
  createTaskClient as create,
  type Host,
  type TaskClient,
  type TaskClientOptions,
} from '../index.js';
import { httpFetch } from './http-fetch.js';
import { processTransport } from './process/index.js';

/** Node.js: a faster `fetch`, and servers that commands start. */
export const nodeHost: Host = { fetch: httpFetch, process: processTransport };

/** The client of `@mcp-codegen/runtime/client`, with the means of Node.js. `connect` takes commands, too. */
export function createTaskClient<V extends RevisionVersion = RevisionVersion>(
  options: TaskClientOptions<V>,
): TaskClient<V> {
  return create({ host: nodeHost, ...options });
}
