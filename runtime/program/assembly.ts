import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { ServerLog } from '../server/log/log.js';
import type { ServerDefinition } from '../server/index.js';
import { logSettings, programSettings } from './own-settings.js';
import type { ClusterPart, StorePart, TransportPart } from './parts.js';
import {
  type Environment,
  mergedSettings,
  type SettingsOf,
  type SettingsShape,
} from './settings.js';

/** What a function gets that makes the definition of a server. */
export interface ServerContext<S extends SettingsShape = Readonly<Record<never, never>>> {
  /** The author's. */
  readonly settings: SettingsOf<S>;
  readonly log: ServerLog;
}

export interface ProgramOptions<S extends SettingsShape = Readonly<Record<never, never>>> {
  /** What the server is: from `defineServer`, or a function that makes it of settings and log. */
  readonly server:
    | ServerDefinition
    | ((context: ServerContext<NoInfer<S>>) => ServerDefinition | Promise<ServerDefinition>);
  /**
   * The folder of the project, with `package.json` and `.env`: `new URL('..', import.meta.url)` in `src/main.ts`. Hosts
   * start servers in any folder, so the working folder is not used.
   */
  readonly project: URL;
  /** How clients reach the server: `stdio()`, or `http()`. */
  readonly transport: TransportPart;
  /** Where tasks are kept: `memory()`, `sqlite()` or `postgres()`. */
  readonly store: StorePart;
  /** Settings of the server itself, by the names of their variables. Their meanings (`describe`) are part of `--help`. */
  readonly settings?: S;
  /** Default: pino, as lines on standard error. `LOG_LEVEL` is a setting of pino alone. */
  readonly log?: ServerLog;
  /** Whether garbage is collected early, which costs processor time on Node.js 24. Default: true. */
  readonly smallHeap?: boolean;
}

/** A program before it reads its settings. */
export interface Program {
  readonly options: ProgramOptions<SettingsShape>;
  /** The path of the project's folder. */
  readonly project: string;
  /** Of all parts and of the author. */
  readonly settings: SettingsShape;
  /** Present where several processes share work and clients. */
  readonly cluster: ClusterPart<SettingsShape> | undefined;
  /** Sentences about settings, by the name of an error of the start. */
  readonly hints: Readonly<Record<string, string>>;
  readonly environment: Environment;
  /** Where settings can be set too, for errors. */
  readonly place: string;
}

/** @throws {TypeError} for settings that two parts declare, or that accept no text. */
export function assemble(
  options: ProgramOptions<SettingsShape>,
  environment: Environment,
): Program {
  const { transport, store, log, settings = {} } = options;
  const project = fileURLToPath(options.project);
  const cluster = transport.processPerClient ? undefined : store.cluster;
  return {
    options,
    project,
    settings: mergedSettings([
      ['the program', { ...programSettings, ...(log === undefined && logSettings) }],
      ['the transport', transport.settings],
      ['the store', { ...store.settings, ...cluster?.settings }],
      ['the settings of runServer', settings],
    ]),
    cluster,
    hints: { ...transport.hints, ...store.hints },
    environment,
    place: ` or in ${envFileOf(project)}`,
  };
}

/** The file of settings beside `package.json`. */
export function envFileOf(project: string): string {
  return join(project, '.env');
}
