/**
 * What authors offer beside tools, as the server sees it. Each definition brings the features that serve it, so that a
 * bundle of a server without resources has no code for them.
 */

import { ProtocolError } from '../peer/index.js';
import type { JsonObject } from '../tasks/index.js';
import type { Completers, UriTemplate } from './definitions/index.js';
import { INVALID_PARAMS } from './errors.js';
import type { HandlerParts, HandlerRequest, Questions } from './request-context.js';
import type { ServerRows } from './session.js';

/** A part of the protocol that a server serves where something needs it. */
export interface Feature {
  readonly capabilities: (offered: Offered) => JsonObject;
  readonly rows: (parts: FeatureParts) => ServerRows;
}

export interface Offered {
  readonly resources: readonly ServerResource[];
  readonly prompts: readonly ServerPrompt[];
}

export interface FeatureParts extends HandlerParts, Offered {
  readonly pageSize?: number | undefined;
}

/** The features that serve what is offered. */
export function featuresIn({ resources, prompts }: Offered): ReadonlySet<Feature> {
  return new Set([...prompts, ...resources].flatMap(({ features }) => features));
}

/** No resource has this URI. Throw it in `read`, or return undefined. */
export class ResourceNotFound extends ProtocolError {
  constructor(uri: string) {
    super(INVALID_PARAMS, `Unknown resource ${JSON.stringify(uri.slice(0, 200))}`, { uri });
  }
}

export interface ReadRequest extends HandlerRequest, Questions {
  readonly uri: string;
}

interface Resource {
  readonly features: readonly Feature[];
  readonly name: string;
  /** Those that the caller's token needs. */
  readonly scopes: readonly string[];
  /** As clients get it. */
  readonly listing: JsonObject;
}

/** One resource, as the server sees it. */
export interface FixedResource extends Resource {
  readonly kind: 'resource';
  readonly uri: string;
  readonly read: (request: ReadRequest) => Promise<JsonObject>;
}

/** The resources of a template, as the server sees them. */
export interface ResourceTemplate<V = never> extends Resource {
  readonly kind: 'template';
  readonly uriTemplate: string;
  readonly template: Pick<UriTemplate<unknown>, 'match' | 'names'>;
  /** The URI of a resource, for `server.notify.resourceUpdated`. */
  readonly uri: (variables: V) => string;
  readonly list: ((request: HandlerRequest) => Promise<readonly JsonObject[]>) | undefined;
  readonly completers: Completers;
  /** Gets what `template.match` found. */
  readonly read: (request: ReadRequest, variables: unknown) => Promise<JsonObject>;
}

export type ServerResource = FixedResource | ResourceTemplate;

export interface GetRequest<Args> extends HandlerRequest, Questions {
  /** The arguments as the schema parsed them. */
  readonly args: Args;
}

/** A prompt of any arguments, as the server sees it. */
export interface ServerPrompt {
  readonly features: readonly Feature[];
  readonly name: string;
  /** Those that the caller's token needs. */
  readonly scopes: readonly string[];
  /** As clients get it. */
  readonly listing: JsonObject;
  readonly argumentNames: readonly string[];
  readonly completers: Completers;
  /** Gets unchecked arguments. Rejects with `-32602` for those that the schema refuses. */
  readonly get: (request: GetRequest<unknown>) => Promise<JsonObject>;
}
