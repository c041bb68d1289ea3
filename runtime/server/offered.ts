/**
 * What authors offer beside tools, as the server sees it. Each definition brings the features that serve it, so that a
 * bundle of a server without resources has no code for them.
 */

import type * as protocol from '../../generated/2025-11-25/types.js';
import { ProtocolError } from '../peer/index.js';
import type { Frozen } from '../peer/wire/messages.js';
import type { JsonObject } from '../tasks/index.js';
import type { Completers, UriTemplate } from './definitions/index.js';
import { INVALID_PARAMS } from './errors.js';
import type { HandlerParts, HandlerRequest, Questions } from './controls.js';
import type { FeatureRows, ServerRows } from './session.js';

/** A part of the protocol that a server serves where something needs it. */
export interface AnyFeature {
  readonly capabilities: JsonObject;
  readonly rows: (parts: FeatureParts) => ServerRows;
}

/** What is declared has all its rows, in every revision that has it. */
export interface Feature<F extends string> extends AnyFeature {
  readonly capabilities: Readonly<Record<F, JsonObject>>;
  readonly rows: (parts: FeatureParts) => FeatureRows<F>;
}

export interface Offered {
  readonly resources: readonly ServerResource[];
  readonly prompts: readonly ServerPrompt[];
}

export interface FeatureParts extends HandlerParts, Offered {
  readonly pageSize?: number | undefined;
}

/** The features that serve what is offered. */
export function featuresIn({ resources, prompts }: Offered): ReadonlySet<AnyFeature> {
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
  readonly features: readonly AnyFeature[];
  readonly name: string;
  /** Those that the caller's token needs. */
  readonly scopes: readonly string[];
}

/** One resource, as the server sees it. */
export interface FixedResource extends Resource {
  readonly kind: 'resource';
  readonly uri: string;
  /** As clients get it. */
  readonly listing: Frozen<protocol.Resource>;
  readonly read: (request: ReadRequest) => Promise<Frozen<protocol.ReadResourceResult>>;
}

/** The resources of a template, as the server sees them. */
export interface ResourceTemplate<V = never> extends Resource {
  readonly kind: 'template';
  readonly uriTemplate: string;
  /** As clients get it. */
  readonly listing: Frozen<protocol.ResourceTemplate>;
  readonly template: Pick<UriTemplate<unknown>, 'match' | 'names'>;
  /** The URI of a resource, for `server.notify.resourceUpdated`. */
  readonly uri: (variables: V) => string;
  readonly list:
    ((request: HandlerRequest) => Promise<readonly Frozen<protocol.Resource>[]>) | undefined;
  readonly completers: Completers;
  /** Gets what `template.match` found. */
  readonly read: (
    request: ReadRequest,
    variables: unknown,
  ) => Promise<Frozen<protocol.ReadResourceResult>>;
}

export type ServerResource = FixedResource | ResourceTemplate;

export interface GetRequest<Args> extends HandlerRequest, Questions {
  /** The arguments as the schema parsed them. */
  readonly args: Args;
}

/** A prompt of any arguments, as the server sees it. */
export interface ServerPrompt {
  readonly features: readonly AnyFeature[];
  readonly name: string;
  /** Those that the caller's token needs. */
  readonly scopes: readonly string[];
  /** As clients get it. */
  readonly listing: Frozen<protocol.Prompt>;
  readonly argumentNames: readonly string[];
  readonly completers: Completers;
  /** Gets unchecked arguments. Rejects with `-32602` for those that the schema refuses. */
  readonly get: (request: GetRequest<unknown>) => Promise<Frozen<protocol.GetPromptResult>>;
}
