import { discoverRows } from '../features/lifecycle.js';
import { listenRows } from '../features/listen.js';
import type { DialectModule } from './dialect.js';
import { serveExt } from './ext.js';
import { completeResult } from './ext-results.js';

/** Revisions without sessions. */
export const EXT: DialectModule = {
  name: 'ext',
  serve: serveExt,
  complete: (result, { method }, serverInfo) => completeResult(method, result, serverInfo),
  rows: (parts) => ({ ...discoverRows(parts), ...listenRows(parts) }),
};
