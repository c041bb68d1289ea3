import type { Dialect } from '../../tasks/index.js';
import type { DialectDependencies, ServedDialect } from './dialect.js';

export type {
  CallParams,
  Connection,
  Peer,
  ServedDialect,
  TaskDialect,
  ToolCallRequest,
} from './dialect.js';

const LOADERS: Readonly<
  Record<Dialect, () => Promise<(dependencies: DialectDependencies) => ServedDialect>>
> = {
  core: async () => (await import('./core.js')).serveCore,
  ext: async () => (await import('./ext.js')).serveExt,
};

/** Loads a dialect for a server. Servers that do not offer it load nothing of it. */
export async function loadDialect(
  name: Dialect,
  dependencies: DialectDependencies,
): Promise<ServedDialect> {
  const serve = await LOADERS[name]();
  return serve(dependencies);
}
