import { openSessions } from '../../transport/index.js';
import { sessionRows } from '../features/lifecycle.js';
import { loggingRows } from '../features/logging.js';
import { serveCore } from './core.js';
import type { DialectModule } from './dialect.js';

/** Revisions with sessions. */
export const CORE: DialectModule = {
  name: 'core',
  serve: serveCore,
  rows: (parts) => ({ ...sessionRows(parts), ...loggingRows(parts) }),
  openSessions,
};
