import type { AdministeredStore, TaskExecutor, TaskLimits, TaskStore } from '../tasks/index.js';
import type { Authorization } from '../server/auth/index.js';
import type { ServerLog } from '../server/log/log.js';
import type { HttpHandle } from '../server/serve.js';
import type { TaskServer } from '../server/server.js';
import type { StdioHandle } from '../server/stdio.js';
import type { HealthHandle } from './serve-health.js';
import type { SettingsOf, SettingsShape } from './settings.js';

/** What a program is made of: values that say which settings they read, and load what they need when they are used. */
interface Part<S extends SettingsShape> {
  /** What the part reads from the environment. */
  readonly settings: S;
  /** A sentence about the settings that mend an error of the start, by the error's name. */
  readonly hints: Readonly<Record<string, string>>;
}

/** How clients reach the server: `stdio()` or `http()`. */
export interface TransportPart<S extends SettingsShape = SettingsShape> extends Part<S> {
  /** Whether each client starts a process of its own. Otherwise several processes may serve all clients. */
  readonly processPerClient: boolean;
  /** For a server that sets no time to live. */
  readonly limits?: Pick<TaskLimits, 'ttlDefault' | 'ttlMax'>;
  /** Admits operators to a board that other machines may use. Absent: none are admitted. */
  readonly auth?: AuthPart;
  /** `shared`: several processes serve all clients. */
  serve(
    server: TaskServer,
    settings: SettingsOf<S>,
    shared: boolean,
  ): StdioHandle | Promise<HttpHandle>;
  /** Serves the health of a process that runs tasks and has no clients. Absent where each process has one. */
  serveWorker?(server: TaskServer, settings: SettingsOf<S>): Promise<HealthHandle>;
}

/** Who may use the server: `jwt()` or `introspection()`. */
export interface AuthPart<S extends SettingsShape = SettingsShape> {
  readonly settings: S;
  /** `scopes` are needed beside those of the settings. */
  authorize(settings: SettingsOf<S>, scopes?: readonly string[]): Promise<Authorization>;
}

/** Where tasks are kept: `memory()`, `sqlite()` or `postgres()`. */
export interface StorePart<S extends SettingsShape = SettingsShape> extends Part<S> {
  open(settings: SettingsOf<S>, place: StorePlace): TaskStore | Promise<TaskStore>;
  /** For commands beside running servers. Absent: other processes cannot open the tasks. */
  readonly administration?: StoreAdministration<S>;
  /** Absent: one process at a time may use the store. */
  readonly cluster?: ClusterPart<S>;
}

/** Who opens a store, and where. */
export interface StorePlace {
  /** The server's. */
  readonly name: string;
  /** The path of the project's folder. */
  readonly project: string;
  /** Whether each client starts a process of its own. */
  readonly processPerClient: boolean;
  /** Aborted when the server takes nothing new: its client has gone, or it has been told to stop. */
  readonly leaving: AbortSignal;
  readonly log: ServerLog;
}

export interface StoreAdministration<S extends SettingsShape> {
  /** The tasks, also while servers run. `project` is the path of the project's folder. */
  open(settings: SettingsOf<S>, project: string): AdministeredStore | Promise<AdministeredStore>;
  /** Copies the database to a file. Absent where the database has a command of its own for that. */
  backup?(settings: SettingsOf<S>, project: string, file: string): Promise<void>;
  /** Creates or updates the tables, those of a cluster too. Returns what is printed. Absent: servers always do. */
  migrate?(settings: SettingsOf<S>, cluster: boolean): Promise<string>;
}

/** Several processes that serve all clients and share the tasks. */
export interface ClusterPart<S extends SettingsShape> {
  /** Beside those of the store. */
  readonly settings: SettingsShape;
  /** Whether this process serves clients, or only runs tasks. */
  servesClients(settings: SettingsOf<SettingsShape>): boolean;
  executor(settings: SettingsOf<S>): Promise<TaskExecutor>;
}
