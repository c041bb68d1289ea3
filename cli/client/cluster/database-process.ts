import { once } from 'node:events';
import { startInstalled } from '../../../runtime/testing/postgres/installed.js';
import type { DatabaseMessage } from './database.js';

/**
 * A process that runs PostgreSQL until its parent disconnects, however the parent ends. It is not the parent's own,
 * because Ctrl-C in a terminal reaches every process of a group, and the nodes need the database for longer.
 */

const [project = ''] = process.argv.slice(2);
const disconnected = once(process, 'disconnect');
const say = (message: DatabaseMessage): unknown => process.send?.(message);
try {
  const server = await startInstalled({
    settings: { fsync: 'off' },
    project,
    variable: '--database',
  });
  say({ url: server.url });
  await disconnected;
  await server.end('SIGINT');
  server.remove();
} catch (error) {
  say({ problem: (error as Error).message });
  await disconnected;
}
process.exit();
