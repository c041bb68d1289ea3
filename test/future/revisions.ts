import { bundledSchema } from '../support/corpus/index.js';
import type { Json, JsonObject } from '../support/corpus/index.js';

type Schemas = Record<string, JsonObject>;

/** A schema that the protocol may have one day: a bundled one with changes, never text of others. */
export interface Future {
  readonly name: string;
  readonly schema: JsonObject;
}

const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const literal = (value: string): JsonObject => ({ type: 'string', const: value });

function object(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 && { required: [...required] }) };
}

type Change = (schemas: Schemas) => void;
type Base = '2025-11-25' | '2026-07-28';
const changes: Record<Base, Change[]> = { '2025-11-25': [], '2026-07-28': [] };

function changed(name: string, base: Base, made: readonly Change[]): Future {
  const schema = structuredClone(bundledSchema(base)) as unknown as JsonObject;
  for (const change of made) change(schema['$defs'] as Schemas);
  return { name, schema };
}

function lacking(name: string, gaps: readonly string[], change: Change): Future & Gaps {
  return { ...changed(name, '2026-07-28', [change]), gaps };
}

interface Gaps {
  /** What is missing, as `severity code pointer`. */
  readonly gaps: readonly string[];
}

function future(name: string, change: Change, base: Base = '2026-07-28'): Future {
  changes[base].push(change);
  return changed(name, base, [change]);
}

/** A part of a schema, for changes in place. */
function at(schemas: Schemas, ...path: readonly (string | number)[]): JsonObject {
  let value: Json | Schemas = schemas;
  for (const step of path) value = (value as Record<string | number, Json>)[step] as Json;
  if (value === undefined) throw new Error(`There is nothing at ${path.join('/')}.`);
  return value as JsonObject;
}

const membersOf = (schemas: Schemas, name: string): Json[] => at(schemas, name, 'anyOf') as never;

/** A request with its params and result, listed as one of the client's. */
function addRequest(schemas: Schemas, name: string, method: string, params: JsonObject): void {
  schemas[`${name}RequestParams`] = params;
  schemas[`${name}Request`] = object(
    {
      jsonrpc: literal('2.0'),
      id: ref('RequestId'),
      method: literal(method),
      params: ref(`${name}RequestParams`),
    },
    ['jsonrpc', 'id', 'method', 'params'],
  );
  membersOf(schemas, 'ClientRequest').push(ref(`${name}Request`));
}

function addNotification(schemas: Schemas, name: string, method: string, params: JsonObject): void {
  schemas[`${name}Notification`] = object(
    { jsonrpc: literal('2.0'), method: literal(method), params },
    ['jsonrpc', 'method', 'params'],
  );
  membersOf(schemas, 'ServerNotification').push(ref(`${name}Notification`));
}

function setResult(schemas: Schemas, response: string, result: JsonObject): void {
  at(schemas, response, 'properties')['result'] = result;
}

const variant = (type: string, more: JsonObject = {}): JsonObject =>
  object({ resultType: literal(type), ...more }, ['resultType', ...Object.keys(more)]);

/** Protocols that are generated whole. */
export const FUTURES: readonly Future[] = [
  future('result variants per tool', (schemas) => {
    schemas['WeatherResult'] = variant('weather', { celsius: { type: 'number' } });
    schemas['SearchResult'] = variant('search', { hits: { type: 'array', items: true } });
    setResult(schemas, 'CallToolResultResponse', {
      oneOf: [
        { anyOf: [ref('WeatherResult'), ref('SearchResult')] },
        ref('CallToolResult'),
        ref('InputRequiredResult'),
      ],
    });
  }),
  future('results behind a definition that is a union', (schemas) => {
    schemas['StreamResult'] = variant('stream', { url: { type: 'string', format: 'uri' } });
    schemas['AnyPromptResult'] = { anyOf: [ref('StreamResult'), ref('GetPromptResult')] };
    setResult(schemas, 'GetPromptResultResponse', ref('AnyPromptResult'));
  }),
  future('extensions with versions', (schemas) => {
    schemas['ExtensionDeclaration'] = object(
      { version: { type: 'string', pattern: '^\\d+\\.\\d+$' }, settings: ref('JSONObject') },
      ['version'],
    );
    for (const owner of ['ClientCapabilities', 'ServerCapabilities']) {
      at(schemas, owner, 'properties')['extensions'] = {
        type: 'object',
        propertyNames: { type: 'string', pattern: '^[a-z0-9.-]+/[a-z-]+$' },
        additionalProperties: ref('ExtensionDeclaration'),
      };
    }
  }),
  future('progress in parts', (schemas) => {
    schemas['ProgressPart'] = object(
      {
        name: { type: 'string' },
        done: { type: 'integer', minimum: 0 },
        parts: { type: 'array', items: ref('ProgressPart'), maxItems: 8 },
      },
      ['name', 'done'],
    );
    at(schemas, 'ProgressNotificationParams', 'properties')['progress'] = {
      anyOf: [{ type: 'number' }, ref('ProgressPart')],
    };
  }),
  future(
    'event sources on tasks',
    (schemas) => {
      schemas['TaskEvent'] = {
        oneOf: [
          object({ kind: literal('log'), text: { type: 'string' } }, ['kind', 'text']),
          object({ kind: literal('artifact'), uri: { type: 'string' } }, ['kind', 'uri']),
        ],
      };
      const id = { taskId: { type: 'string' } };
      addRequest(schemas, 'SubscribeTask', 'tasks/subscribe', object(id, ['taskId']));
      schemas['SubscribeTaskResult'] = object({ cursor: { type: 'string' } }, ['cursor']);
      addNotification(
        schemas,
        'TaskEvent',
        'notifications/tasks/event',
        object({ ...id, event: ref('TaskEvent') }, ['taskId', 'event']),
      );
      at(schemas, 'ServerCapabilities', 'properties', 'tasks', 'properties')['subscribe'] = object(
        {},
      );
    },
    '2025-11-25',
  ),
  future('request ids that are objects', (schemas) => {
    schemas['RequestId'] = {
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'integer' },
        object({ session: { type: 'string' }, sequence: { type: 'integer' } }, [
          'session',
          'sequence',
        ]),
      ],
    };
  }),
  future('new kinds of content', (schemas) => {
    for (const kind of ['video', 'table', 'patch']) {
      const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Content`;
      schemas[name] = object({ type: literal(kind), rows: { type: 'array', items: true } }, [
        'type',
      ]);
      membersOf(schemas, 'ContentBlock').push(ref(name));
    }
  }),
  future('another discriminator of results', (schemas) => {
    const rename = (schema: JsonObject): void => {
      const properties = schema['properties'] as JsonObject | undefined;
      const required = schema['required'] as Json[] | undefined;
      if (properties?.['resultType'] === undefined) return;
      const { resultType, ...others } = properties;
      schema['properties'] = { ...others, outcome: resultType };
      if (required)
        schema['required'] = required.map((it) => (it === 'resultType' ? 'outcome' : it));
    };
    Object.values(schemas).forEach(rename);
  }),
  future('a request with two methods', (schemas) => {
    at(schemas, 'CallToolRequest', 'properties')['method'] = {
      type: 'string',
      enum: ['tools/call', 'tools/preview'],
    };
  }),
  future('messages grouped by feature', (schemas) => {
    addRequest(schemas, 'Ask', 'agents/ask', object({ text: { type: 'string' } }, ['text']));
    schemas['AskResult'] = variant('complete', { text: { type: 'string' } });
    schemas['AgentRequest'] = { anyOf: [ref('AskRequest')] };
    schemas['ToolRequest'] = { oneOf: [ref('CallToolRequest'), ref('ListToolsRequest')] };
    schemas['ClientRequest'] = {
      anyOf: [
        ref('AgentRequest'),
        ref('ToolRequest'),
        ...membersOf(schemas, 'ClientRequest').filter(
          (each) => !/Ask|CallTool|ListTools/.test(JSON.stringify(each)),
        ),
      ],
    };
  }),
];

/** All changes at once. */
export const TOGETHER: readonly Future[] = [
  changed('all changes of a late revision', '2026-07-28', changes['2026-07-28']),
  changed('all changes of an early revision', '2025-11-25', changes['2025-11-25']),
];

/** Protocols that do not say something that the tables need. */
export const GAPS: readonly (Future & Gaps)[] = [
  lacking(
    'messages that are told apart by "op"',
    ['error unknown-method /$defs/CallToolRequest'],
    (schemas) => {
      const { method, ...others } = at(schemas, 'CallToolRequest', 'properties');
      schemas['CallToolRequest'] = object({ ...others, op: method ?? true }, ['id', 'op']);
    },
  ),
  lacking('methods by a pattern', ['error unknown-method /$defs/CallToolRequest'], (schemas) => {
    at(schemas, 'CallToolRequest', 'properties')['method'] = {
      type: 'string',
      pattern: '^tools/',
    };
  }),
  lacking('a message without a name', ['error unknown-method /$defs/ClientRequest'], (schemas) => {
    membersOf(schemas, 'ClientRequest').push(
      object({ method: literal('x/y'), params: true }, ['method']),
    );
  }),
  lacking(
    'a result without a name',
    ['warning unknown-result /$defs/CallToolResultResponse'],
    (schemas) => {
      setResult(schemas, 'CallToolResultResponse', {
        anyOf: [ref('CallToolResult'), variant('stream', { url: { type: 'string' } })],
      });
    },
  ),
  lacking(
    'a request without a result and a sender',
    ['warning unknown-sender /$defs/AskRequest', 'warning unknown-result /$defs/AskRequest'],
    (schemas) => {
      addRequest(schemas, 'Ask', 'agents/ask', object({}));
      membersOf(schemas, 'ClientRequest').pop();
      delete schemas['EmptyResult'];
    },
  ),
  lacking('answers of another shape', ['warning missing-envelope '], (schemas) => {
    schemas['Answer'] = at(schemas, 'JSONRPCResultResponse');
    delete schemas['JSONRPCResultResponse'];
    for (const name of ['JSONRPCResponse', 'JSONRPCMessage']) delete schemas[name];
  }),
];

/** A second extension of a revision: messages of its own, beside definitions of the revision. */
export const SECOND_EXTENSION: Future = {
  name: 'a second extension',
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      RequestId: { type: ['string', 'integer'] },
      Agent: object({ name: { type: 'string' } }, ['name']),
      ListAgentsRequest: object(
        { jsonrpc: literal('2.0'), id: ref('RequestId'), method: literal('agents/list') },
        ['jsonrpc', 'id', 'method'],
      ),
      ListAgentsResult: variant('complete', { agents: { type: 'array', items: ref('Agent') } }),
      AgentNotification: object(
        { jsonrpc: literal('2.0'), method: literal('notifications/agents'), params: ref('Agent') },
        ['jsonrpc', 'method', 'params'],
      ),
      ClientRequest: ref('ListAgentsRequest'),
      ServerNotification: ref('AgentNotification'),
    },
  },
};
