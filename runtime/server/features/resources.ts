import type { Resource } from '../../../generated/2025-11-25/types.js';
import { METHODS } from '../../protocol.js';
import { isRpcError, type JsonObject } from '../../tasks/index.js';
import { INVALID_PARAMS, INVALID_REQUEST, rpcError } from '../errors.js';
import type { FeatureRows, ServerExchange, Session } from '../session.js';
import {
  type Feature,
  type Endpoint,
  type FixedResource,
  ResourceNotFound,
  type ResourceTemplate,
} from '../endpoint.js';
import { askingRequest, handlerRequest } from '../endpoint.js';
import type { Frozen } from '../../peer/wire/messages.js';
import { RESOURCE_NOT_FOUND } from '../../rules/messages.js';
import { createPages, type Pages } from './pages.js';
import { watch } from './watching.js';

export const RESOURCES: Feature<'resources'> = {
  capabilities: { resources: { subscribe: true, listChanged: true } },
  rows: resourceRows,
};

/** The methods of resources. */
function resourceRows(endpoint: Endpoint): FeatureRows<'resources'> {
  const { resources, pageSize } = endpoint;
  const fixed = resources.filter((each): each is FixedResource => each.kind === 'resource');
  const templates = resources.filter((each): each is ResourceTemplate => each.kind === 'template');
  const templatePages = createPages(
    templates.map((each) => each.listing),
    pageSize,
  );
  const listed = listing(endpoint, fixed, templates);
  const read = reading(endpoint, fixed, templates);
  return {
    [METHODS.resourcesList]: {
      answer({ cursor }, exchange) {
        const pages = listed(exchange);
        return pages instanceof Promise
          ? pages.then((all) => all.answer('resources', cursor))
          : pages.answer('resources', cursor);
      },
    },
    [METHODS.resourcesTemplatesList]: {
      answer: ({ cursor }) => templatePages.answer('resourceTemplates', cursor),
    },
    [METHODS.resourcesRead]: { answer: read },
    [METHODS.resourcesSubscribe]: {
      answer({ uri }, { origin }) {
        watch(sessionOf(origin), uri);
        return {};
      },
    },
    [METHODS.resourcesUnsubscribe]: {
      answer({ uri }, { origin }) {
        sessionOf(origin).resources.delete(uri);
        return {};
      },
    },
  };
}

/** Only templates that list their resources make a list that differs from request to request. */
function listing(
  endpoint: Endpoint,
  fixed: readonly FixedResource[],
  templates: readonly ResourceTemplate[],
): (exchange: ServerExchange) => Pages<Frozen<Resource>> | Promise<Pages<Frozen<Resource>>> {
  const own = fixed.map((each) => each.listing);
  const lists = templates.flatMap(({ list }) => (list === undefined ? [] : [list]));
  const always = createPages(own, endpoint.pageSize);
  if (lists.length === 0) return () => always;
  return async (exchange) => {
    const request = handlerRequest(endpoint, exchange);
    const found = await Promise.all(lists.map((list) => list(request)));
    return createPages([...own, ...found.flat()], endpoint.pageSize);
  };
}

function reading(
  endpoint: Endpoint,
  fixed: readonly FixedResource[],
  templates: readonly ResourceTemplate[],
): FeatureRows<'resources'>[typeof METHODS.resourcesRead]['answer'] {
  const byUri = new Map(fixed.map((resource) => [resource.uri, resource]));

  /** What reads a URI. A resource comes before the templates, and these in their order. */
  function readerOf(uri: string): FixedResource['read'] {
    const resource = byUri.get(uri);
    if (resource !== undefined) return resource.read;
    for (const { template, read } of templates) {
      const variables = template.match(uri);
      if (variables !== undefined) return (request) => read(request, variables);
    }
    throw new ResourceNotFound(uri);
  }

  return async (params, exchange) => {
    const { uri } = params;
    try {
      const read = readerOf(uri);
      return await endpoint.questions(exchange, params, [exchange.method, uri], (ask) =>
        read(askingRequest(endpoint, exchange, ask, { uri })),
      );
    } catch (error) {
      throw inDialect(exchange, error);
    }
  };
}

/** The error that says in the revision of a request that there is no such resource. All others stay as they are. */
function inDialect({ revision }: ServerExchange, thrown: unknown): unknown {
  if (!isRpcError(thrown)) return thrown;
  const { code, message, data } = thrown;
  if (code !== RESOURCE_NOT_FOUND && !(code === INVALID_PARAMS && isUri(data))) return thrown;
  const own = revision.dialect === 'core' ? RESOURCE_NOT_FOUND : INVALID_PARAMS;
  return rpcError(own, message, data);
}

/** The data of `ResourceNotFound`, and of the error of the official SDK, is exactly the URI. */
function isUri(data: unknown): boolean {
  const { uri, ...more } = Object(data) as JsonObject;
  return typeof uri === 'string' && Object.keys(more).length === 0;
}

function sessionOf({ session }: ServerExchange['origin']): Session {
  if (session === undefined) throw rpcError(INVALID_REQUEST, 'There is no session');
  return session;
}
