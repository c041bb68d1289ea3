import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';

import { ON_DEMAND } from '../../runtime/peer/wire/on-demand.js';
import { loadRevisions } from '../../runtime/peer/wire/revision.js';
import { type Ask, ASKS, asksOf } from '../../runtime/rules/questions.js';
import { defineTool } from '../../runtime/server/index.js';
import { assertAskable } from '../../runtime/server/asks.js';
import type { JsonObject } from '../../runtime/tasks/index.js';

const TEXT = [{ role: 'user', content: { type: 'text', text: 'Hi' } }];
const FORM = { message: 'm', requestedSchema: { type: 'object', properties: {} } };
const LINK = { mode: 'url', message: 'm', url: 'https://x.example', elicitationId: 'e' };
const tools = [{ name: 't', inputSchema: { type: 'object' } }];

/** Every shape of a question, by what it needs. */
const QUESTIONS: readonly (readonly [string, string, JsonObject])[] = [
  ['a form', 'elicitation/create', FORM],
  ['a link', 'elicitation/create', LINK],
  ['roots', 'roots/list', {}],
  ...[{}, { tools }, { includeContext: 'allServers' }, { tools, includeContext: 'allServers' }].map(
    (more) =>
      [
        `sampling ${Object.keys(more).join()}`,
        'sampling/createMessage',
        { messages: TEXT, maxTokens: 1, ...more },
      ] as const,
  ),
];
const DECLARED: readonly JsonObject[] = [
  {},
  { sampling: {} },
  { sampling: { context: {} } },
  { sampling: { tools: {} } },
  { elicitation: { url: {} } },
  { elicitation: { form: {} } },
];

beforeAll(() => loadRevisions(['2025-11-25'], true, ON_DEMAND));

function errorOf(declared: JsonObject, method: string, params: JsonObject): JsonObject | undefined {
  try {
    assertAskable({ asks: asksOf(declared) }, 'core', method, params);
    return undefined;
  } catch (error) {
    return error as JsonObject;
  }
}

/** What a client declares that heeds an error. */
function heeded(declared: JsonObject, required: JsonObject): JsonObject {
  const names = new Set([...Object.keys(declared), ...Object.keys(required)]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      { ...(declared[name] as object | undefined), ...(required[name] as object | undefined) },
    ]),
  );
}

describe.each(QUESTIONS)('-32021 for %s', (_, method, params) => {
  it.each(DECLARED)('names all that a client with %j lacks', (declared) => {
    const error = errorOf(declared, method, params);
    if (error === undefined) return;
    expect(error).toMatchObject({ code: -32021 });
    const { requiredCapabilities } = error['data'] as { requiredCapabilities: JsonObject };
    expect(errorOf(heeded(declared, requiredCapabilities), method, params)).toBeUndefined();
  });
});

it('-32021 for sampling with tools names both, in one member', () => {
  const params = { messages: TEXT, maxTokens: 1, tools };
  expect(errorOf({}, 'sampling/createMessage', params)).toMatchObject({
    message:
      'The client cannot be asked sampling/createMessage: it does not declare sampling, sampling.tools',
    data: { requiredCapabilities: { sampling: { tools: {} } } },
  });
});

it.each(Object.keys(ASKS) as Ask[])('a tool may say that it asks for %s', (ask) => {
  const more = { name: 'it', description: 'Asks.', input: z.object({}), run: () => '' };
  expect(defineTool({ ...more, asks: [ask] }).asks).toEqual([ask]);
});
