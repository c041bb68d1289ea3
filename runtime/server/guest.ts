/**
 * The contract between a server and another one that takes part in it: a guest, whose tools, resources and prompts
 * clients reach beside the server's own. `runtime/server/sdk-guest` implements it. This file loads nothing else of the server.
 */

import type { Dialect, JsonObject } from '../tasks/index.js';
import type { Revision } from '../peer/wire/revision.js';
import type { Asking } from './asks.js';
import type { Change } from './features/changes.js';
import type { ServerExchange, ServerRows, Session } from './session.js';
import type { ServerPrompt, ServerResource } from './endpoint.js';
import type { ServerTool } from './tool.js';

export { assertAskable } from './asks.js';
export {
  ANYBODY,
  type AuthInfo,
  IdentityError,
  LOCAL_OWNER,
  ownerOf,
  settled,
} from './auth/index.js';
export { assertUnidentified, hasOwnTasks } from './capabilities.js';
export { assertIdentified } from './scopes.js';
export {
  clientCapabilitiesOf,
  type ServerExchange,
  type ServerRows,
  type Session,
} from './session.js';
export type { Change } from './features/changes.js';

/** A server of the official SDK, of any version: its documented methods. */
export interface SdkServer {
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
}

export interface Guest {
  /** What it declares, and so the server: nothing about tasks. */
  readonly capabilities: JsonObject;
  /** How to use it, for the model: where the server itself says nothing. */
  readonly instructions?: string | undefined;
  /** The JSON Schema of a tool's arguments; undefined for a tool that it does not have. */
  inputSchemaOf(tool: string): unknown;
  /** Takes part in what is served at one endpoint. */
  join(host: GuestHost): JoinedGuest;
}

/** A guest at one endpoint. */
export interface JoinedGuest {
  /** The rows of a dialect, of both servers. */
  rows(dialect: Dialect, own: ServerRows): ServerRows;
  /** Takes a notification that the client of a session has sent. */
  notified(session: Session, method: string, params: JsonObject): void;
  /** Tells a `subscriptions/listen` of what it wants and changes in the guest. Returns what ends it. */
  follow(
    exchange: ServerExchange,
    wanted: WantedChanges,
    onChange: (change: Change) => void,
  ): () => void;
}

export interface WantedChanges {
  /** Methods of notifications. */
  readonly methods: ReadonlySet<string>;
  readonly uris: ReadonlySet<string>;
}

/** What a guest needs of the server. */
export interface GuestHost {
  /** What the server declares of its own features. */
  readonly capabilities: JsonObject;
  readonly owns: Owned;
  /** Whether calls become tasks in sessions of revisions with tasks. */
  readonly callsAsTasks: boolean;
  /** What a client with these capabilities can be asked, at this endpoint. */
  readonly askingFor: (clientCapabilities: JsonObject, revision: Revision) => Asking;
  readonly onError: (error: unknown) => void;
}

/** Whether something is the server's own. */
export interface Owned {
  tool(name: unknown): boolean;
  prompt(name: unknown): boolean;
  /** The URI is that of a resource, or a template has it. */
  resource(uri: unknown): boolean;
  /** By the text of the template. */
  template(text: unknown): boolean;
}

export function ownedBy(parts: {
  readonly tools: ReadonlyMap<string, ServerTool>;
  readonly resources: readonly ServerResource[];
  readonly prompts: readonly ServerPrompt[];
  /** Tools of the server itself. */
  readonly taskTools?: { readonly names: ReadonlySet<string> } | undefined;
}): Owned {
  const { tools, resources, taskTools } = parts;
  const prompts = new Set<unknown>(parts.prompts.map(({ name }) => name));
  const templates = resources.filter((each) => each.kind === 'template');
  const uris = new Set<unknown>(
    resources.flatMap((each) => (each.kind === 'resource' ? [each.uri] : [])),
  );
  return {
    tool: (name) => tools.has(name as string) || taskTools?.names.has(name as string) === true,
    prompt: (name) => prompts.has(name),
    resource: (uri) =>
      uris.has(uri) ||
      templates.some(({ template }) => template.match(uri as string) !== undefined),
    template: (text) => templates.some(({ uriTemplate }) => uriTemplate === text),
  };
}

/** What is declared together, when one of them wins where both declare the same. */
export function bothDeclare(own: JsonObject, guest: JsonObject): JsonObject {
  const both: Record<string, unknown> = { ...guest, ...own };
  for (const [name, declared] of Object.entries(guest)) {
    if (name in own) both[name] = { ...(declared as object), ...(own[name] as object) };
  }
  return both;
}
