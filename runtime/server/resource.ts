import type {
  Annotations,
  BlobResourceContents,
  Icon,
  ReadResourceResult,
  ResourceContents,
  TextResourceContents,
} from '../../generated/2025-11-25/types.js';
import { matchesUri } from '../../generated/support/uri.js';
import { type JsonObject, jsonOf } from '../tasks/index.js';
import { isObject } from '../peer/wire/json.js';
import type { Frozen } from '../peer/wire/messages.js';
import {
  assertRules,
  type Completer,
  completersIn,
  type DefinitionKind,
  FUNCTION,
  FUNCTIONS,
  ICONS,
  NAME,
  OBJECT,
  parseUriTemplate,
  type Rule,
  SCOPES,
  subjectOf,
  type TemplateVariables,
  TEXT,
  type UriTemplate,
} from './definitions/index.js';
import { INTERNAL_ERROR, rpcError } from './errors.js';
import { COMPLETIONS } from './features/completions.js';
import type { HandlerRequest } from './controls.js';
import { RESOURCES } from './features/resources.js';
import {
  type FixedResource,
  type ReadRequest,
  ResourceNotFound,
  type ResourceTemplate,
} from './endpoint.js';

export { type ReadRequest, ResourceNotFound, type ServerResource } from './endpoint.js';

/** A part of what is read. URI and MIME type are those of the resource, where they are not given. */
export type ResourceContent = (
  | { readonly text: string }
  /** Bytes, or their base64. */
  | { readonly blob: Uint8Array | string }
  /** A value that is sent as JSON, of the type `application/json`. */
  | { readonly json: unknown }
) & { readonly uri?: string; readonly mimeType?: string; readonly meta?: JsonObject };

/** One part, all of them, the whole result, or nothing where there is no such resource. */
export type ResourceOutput =
  | ResourceContent
  | readonly ResourceContent[]
  | { readonly contents: readonly (TextResourceContents | BlobResourceContents)[] }
  | undefined;

interface Described {
  /** For programs, and for people where there is no title. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly meta?: JsonObject;
}

export interface ResourceDefinition extends Described {
  readonly uri: string;
  /** Bytes. */
  readonly size?: number;
  /**
   * Scopes that the caller's token needs beside those of `auth`. Without them the answer over HTTP is 403 with the
   * challenge by which a client asks for them. Default: none.
   */
  readonly scopes?: readonly string[];
  readonly read: (request: ReadRequest) => ResourceOutput | Promise<ResourceOutput>;
}

/** A resource of a template, as `resources/list` shows it. */
export interface ListedResource extends Described {
  readonly uri: string;
  readonly size?: number;
}

export interface ResourceTemplateDefinition<
  T extends string,
  V = TemplateVariables<T>,
> extends Described {
  /** A URI template of RFC 6570, such as `shop://orders/{id}`. */
  readonly uriTemplate: T;
  /** The resources to list. Default: none, and clients make the URIs. */
  readonly list?: (
    request: HandlerRequest,
  ) => readonly ListedResource[] | Promise<readonly ListedResource[]>;
  /**
   * Scopes that the caller's token needs beside those of `auth`. Without them the answer over HTTP is 403 with the
   * challenge by which a client asks for them. Default: none.
   */
  readonly scopes?: readonly string[];
  /** Suggests values of variables. */
  readonly complete?: {
    readonly [K in keyof V]?: Completer<
      HandlerRequest & { readonly variables: { readonly [N in keyof V]?: string } }
    >;
  };
  readonly read: (
    request: ReadRequest & { readonly variables: V },
  ) => ResourceOutput | Promise<ResourceOutput>;
}

const DESCRIBED = {
  name: NAME,
  title: TEXT,
  description: TEXT,
  mimeType: TEXT,
  annotations: OBJECT,
  icons: ICONS,
  meta: OBJECT,
} satisfies Record<string, Rule>;
const SIZE: Rule = {
  expected: 'a number of bytes',
  accepts: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};
const READ: Rule = {
  ...FUNCTION,
  isRequired: true,
  expected: 'a function: read: ({ uri }) => ({ text })',
};
const OTHER_NAMES = {
  ...{ handler: 'read', run: 'read', get: 'read', callback: 'read', load: 'read', cb: 'read' },
  ...{ _meta: 'meta', type: 'mimeType', template: 'uriTemplate' },
};
const RESOURCE: DefinitionKind = {
  noun: 'Resource',
  maker: 'defineResource',
  rules: {
    ...DESCRIBED,
    uri: { ...NAME, expected: 'a URI' },
    size: SIZE,
    scopes: SCOPES,
    read: READ,
  },
  otherNames: OTHER_NAMES,
};
const TEMPLATE: DefinitionKind = {
  noun: 'Resource template',
  maker: 'defineResourceTemplate',
  rules: {
    ...DESCRIBED,
    uriTemplate: { ...NAME, expected: "a URI template: 'shop://orders/{id}'" },
    scopes: SCOPES,
    list: FUNCTION,
    complete: FUNCTIONS,
    read: READ,
  },
  otherNames: { ...OTHER_NAMES, uri: 'uriTemplate' },
};

/** Throws a TypeError for a wrong definition, which names the resource, the key and the mend. */
export function defineResource(definition: ResourceDefinition): FixedResource {
  assertRules(RESOURCE, definition);
  const { uri, name, size, read } = definition;
  if (!matchesUri(uri)) {
    const subject = subjectOf('Resource', name);
    throw new TypeError(`${subject}: \`uri\` must be a URI with a scheme, as in shop://catalog`);
  }
  const listing = { uri, ...listed(definition), ...(size !== undefined && { size }) };
  return {
    kind: 'resource',
    features: [RESOURCES],
    name,
    scopes: definition.scopes ?? [],
    uri,
    listing,
    read: async (request) => resultOf(definition, uri, await read(request)),
  };
}

/**
 * Resources whose URIs have a form. The types of `variables` come from the text of the template.
 *
 * Throws a TypeError for a wrong definition, which names the template, the key and the mend.
 */
export function defineResourceTemplate<const T extends string>(
  definition: ResourceTemplateDefinition<T>,
): ResourceTemplate<TemplateVariables<T>> {
  assertRules(TEMPLATE, definition);
  const { uriTemplate, name, mimeType, list, complete, read } = definition;
  const template = parsed(name, uriTemplate);
  const subject = subjectOf('Resource template', name);
  const completers = completersIn(subject, 'variables', template.names, complete);
  return {
    kind: 'template',
    features: completers.size > 0 ? [RESOURCES, COMPLETIONS] : [RESOURCES],
    name,
    scopes: definition.scopes ?? [],
    uriTemplate,
    template,
    uri: (variables) => template.expand(variables),
    listing: { uriTemplate, ...listed(definition) },
    list:
      list &&
      (async (request) =>
        (await list(request)).map((each) => ({
          uri: each.uri,
          ...(mimeType !== undefined && { mimeType }),
          ...listed(each),
          ...(each.size !== undefined && { size: each.size }),
        }))),
    completers,
    async read(request, variables) {
      const output = await read({ ...request, variables: variables as TemplateVariables<T> });
      return resultOf(definition, request.uri, output);
    },
  };
}

function parsed<T extends string>(name: string, text: T): UriTemplate<TemplateVariables<T>> {
  try {
    return parseUriTemplate(text);
  } catch (error) {
    const { message } = error as TypeError;
    throw new TypeError(`${subjectOf('Resource template', name)}: \`uriTemplate\`: ${message}`, {
      cause: error,
    });
  }
}

function listed({ name, title, description, mimeType, annotations, icons, meta }: Described) {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations !== undefined && { annotations }),
    ...(icons !== undefined && { icons }),
    ...(meta !== undefined && { _meta: meta }),
  };
}

type Read = Frozen<ReadResourceResult>;

/** The result of `resources/read`. Throws `ResourceNotFound` for undefined. */
function resultOf(resource: Described, uri: string, output: ResourceOutput): Read {
  if (output === undefined) throw new ResourceNotFound(uri);
  if (isObject(output) && 'contents' in output) return output;
  const parts = (Array.isArray(output) ? output : [output]) as readonly ResourceContent[];
  return { contents: parts.map((each) => contentOf(resource, uri, each)) };
}

function contentOf(
  resource: Described,
  uri: string,
  content: ResourceContent,
): Read['contents'][number] {
  const { mimeType = resource.mimeType, meta } = content;
  const about: ResourceContents = { uri: content.uri ?? uri };
  if (mimeType !== undefined) about.mimeType = mimeType;
  if (meta !== undefined) about._meta = meta;
  if ('text' in content) return Object.assign(about, { text: content.text });
  if ('json' in content) {
    const { text, problem } = jsonOf(content.json, '/json');
    about.mimeType ??= 'application/json';
    if (text !== undefined) return Object.assign(about, { text });
    const subject = subjectOf('Resource', resource.name);
    throw rpcError(INTERNAL_ERROR, `${subject} returned what is not JSON: ${problem}`);
  }
  if ('blob' in content) return Object.assign(about, { blob: base64Of(content.blob) });
  const wrong = `${subjectOf('Resource', resource.name)} returned no text, blob or json`;
  throw rpcError(INTERNAL_ERROR, wrong);
}

/** Bytes that become characters at once: more arguments could overflow the stack. */
const SLICE = 2 ** 13;

function base64Of(blob: Uint8Array | string): string {
  if (typeof blob === 'string') return blob;
  let binary = '';
  for (let at = 0; at < blob.length; at += SLICE) {
    binary += String.fromCharCode(...blob.subarray(at, at + SLICE));
  }
  return btoa(binary);
}
