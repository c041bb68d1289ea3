import { openSessions } from '../../transport/index.js';
import { degradedAnswer } from '../features/degrade.js';
import { sessionRows } from '../features/lifecycle.js';
import { loggingRows } from '../features/logging.js';
import { Session } from '../session.js';
import { serveCore } from './core.js';
import type { DialectModule } from './dialect.js';

/** Revisions with sessions. */
export const CORE: DialectModule = {
  name: 'core',
  serve: serveCore,
  rows: (parts) => ({ ...sessionRows(parts), ...loggingRows(parts) }),
  complete: (result, { method, revision }) => degradedAnswer(method, revision, result),
  sessions: { make: (...parts) => new Session(...parts), open: openSessions },
};
