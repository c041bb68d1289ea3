import type { ServerLog } from '../server/log/log.js';
import { createTaskServer, type ServerDefinition } from '../server/index.js';
import type { TaskServer } from '../server/server.js';
import type { Program } from './assembly.js';
import type { TransportPart } from './parts.js';
import { running, type RunningServer } from './program.js';
import type { SettingsOf, SettingsShape } from './settings.js';

type Settings = SettingsOf<SettingsShape>;

/** Makes the server, opens its store, and serves it. Rejects with the errors that `exitWithReason` explains. */
export async function startServer(
  program: Program,
  settings: Settings,
  log: ServerLog,
): Promise<RunningServer> {
  const { options, cluster, project } = program;
  const { transport, store } = options;
  const definition = await definitionOf(program, settings, log);
  const { processPerClient } = transport;
  const { name } = definition;
  const leaving = new AbortController();
  const place = { name, project, processPerClient, leaving: leaving.signal, log };
  const server = await createTaskServer({
    ...definition,
    ...limitsOf(definition, transport),
    store: await store.open(settings, place),
    ...(cluster && { executor: await cluster.executor(settings) }),
    log,
  });
  const started = await running(server, serving(program, server, settings));
  return {
    ...started,
    close(drainMs) {
      leaving.abort();
      return started.close(drainMs);
    },
  };
}

async function definitionOf(
  { options: { server, settings: own = {} } }: Program,
  settings: Settings,
  log: ServerLog,
): Promise<ServerDefinition> {
  if (typeof server !== 'function') return server;
  // Those of the parts may be secrets, which tools do not need.
  const authors = Object.fromEntries(Object.keys(own).map((key) => [key, settings[key]]));
  return server({ settings: authors, log });
}

/** Limits of the transport are for a server that sets no time to live. */
function limitsOf(
  { limits = {} }: ServerDefinition,
  transport: TransportPart,
): Pick<ServerDefinition, 'limits'> {
  const isSet = limits.ttlDefault !== undefined || limits.ttlMax !== undefined;
  return { limits: isSet ? limits : { ...limits, ...transport.limits } };
}

function serving(
  { options: { transport }, cluster }: Program,
  server: TaskServer,
  settings: Settings,
): Parameters<typeof running>[1] {
  const servesClients = cluster?.servesClients(settings) ?? true;
  if (!servesClients && transport.serveWorker) return transport.serveWorker(server, settings);
  return transport.serve(server, settings, cluster !== undefined);
}
