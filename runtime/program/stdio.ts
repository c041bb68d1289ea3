import { serveStdio } from '../server/stdio.js';
import type { TransportPart } from './parts.js';

/** One client, which starts the process and speaks on standard input and output: the local user, who owns all tasks. */
export function stdio(): TransportPart {
  return {
    settings: {},
    hints: {},
    processPerClient: true,
    serve: (server) => serveStdio(server),
  };
}
