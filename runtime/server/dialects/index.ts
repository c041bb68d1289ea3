import type { Dialect } from '../../tasks/index.js';
import type { DialectParts, TaskDialect } from './dialect.js';

export type {
  CallParams,
  DialectParts,
  Questioned,
  TaskDialect,
  ToolCallRequest,
} from './dialect.js';

type Serve = (parts: DialectParts) => TaskDialect;

const LOADERS: Readonly<Record<Dialect, () => Promise<Serve>>> = {
  core: async () => (await import('./core.js')).serveCore,
  ext: async () => (await import('./ext.js')).serveExt,
};

/** Loads a dialect for a server. Servers that do not offer it load nothing of it. */
export function loadDialect(name: Dialect): Promise<Serve> {
  return LOADERS[name]();
}
