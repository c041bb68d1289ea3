/* eslint-disable @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return -- mutations change messages of any shape */
import { session, stateless } from './change.js';
import type { Mutations } from './change.js';

export const FEATURES = {
  'duplicate-name': [
    session((tape) =>
      tape.edit('more tools answer', ({ result }) => result.tools.push(result.tools[0])),
    ),
  ],
  'bad-tool-name': [
    session((tape) =>
      tape.edit('more tools answer', ({ result }) =>
        result.tools.push({ ...result.tools[0], name: 'a b' }),
      ),
    ),
  ],
  'unstable-order': [
    stateless((tape) => tape.edit('tools again answer', ({ result }) => result.tools.reverse())),
  ],
  'wrong-arguments': [
    session((tape) => tape.edit('call', ({ params }) => (params.arguments.city = 5))),
    session((tape) => tape.edit('create', ({ params }) => delete params.arguments)),
  ],
  'wrong-structured-content': [
    session((tape) =>
      tape.edit('call answer', ({ result }) => (result.structuredContent.degrees = '20')),
    ),
    session((tape) => tape.edit('call answer', ({ result }) => delete result.structuredContent)),
    session((tape) =>
      tape
        .edit('result answer', ({ result }) => (result.structuredContent = {}))
        .edit('result again answer', ({ result }) => (result.structuredContent = {})),
    ),
  ],
  'bad-media': [
    session((tape) => tape.edit('call answer', ({ result }) => (result.content[1].data = '!'))),
    session((tape) =>
      tape.edit('call answer', ({ result }) => (result.content[1].mimeType = 'png')),
    ),
    session((tape) => tape.edit('read answer', ({ result }) => (result.contents[0].blob = 'a.b'))),
  ],
  'bad-uri': [
    session((tape) =>
      tape.edit('resources answer', ({ result }) => (result.resources[0].uri = 'a b')),
    ),
    session((tape) => tape.edit('url', ({ params }) => (params.url = 'none'))),
  ],
  'bad-root': [
    session((tape) =>
      tape.edit('roots answer', ({ result }) => (result.roots[0].uri = 'https://a.b')),
    ),
    stateless((tape) =>
      tape.edit('round 2', ({ params }) => (params.inputResponses.roots.roots = [{ uri: 'a:b' }])),
    ),
  ],
  'unrequested-update': [
    session((tape) => tape.move('updated', 'initialized')),
    session((tape) => tape.edit('updated', ({ params }) => (params.uri = 'file:///a.txt.old'))),
  ],
  'too-many-completions': [
    session((tape) =>
      tape.edit(
        'complete answer',
        ({ result }) => (result.completion.values = Array(101).fill('x')),
      ),
    ),
  ],
  'unrequested-log': [
    session((tape) => tape.edit('log', ({ params }) => (params.level = 'info'))),
    stateless((tape) => tape.edit('log', ({ params }) => (params.level = 'debug'))),
    stateless((tape) => tape.move('log', 'logged answer')),
  ],
  'wrong-form-content': [
    session((tape) => tape.edit('form answer', ({ result }) => (result.content = { city: 5 }))),
    stateless((tape) =>
      tape.edit('round 2', ({ params }) => (params.inputResponses.day.content = {})),
    ),
    stateless((tape) =>
      tape.edit('update', ({ params }) => (params.inputResponses.q1 = { action: 'accept' })),
    ),
  ],
  'unknown-elicitation': [
    session((tape) => tape.edit('url done', ({ params }) => (params.elicitationId = 'e2'))),
  ],
  'unbalanced-tool-use': [
    session((tape) => tape.edit('sample', ({ params }) => params.messages.pop())),
    session((tape) =>
      tape.edit('sample', ({ params }) =>
        params.messages[2].content.push({ type: 'text', text: 'x' }),
      ),
    ),
    session((tape) =>
      tape.edit('sample', ({ params }) => (params.messages[2].content[0].toolUseId = 'u2')),
    ),
  ],
  'wrong-tool-choice': [
    session((tape) =>
      tape.edit(
        'sample answer',
        ({ result }) => (result.content = [{ type: 'tool_use', id: 'u2', name: 'add', input: {} }]),
      ),
    ),
    session((tape) =>
      tape.edit('sample', ({ params }) => {
        params.messages.length = 1;
        params.toolChoice.mode = 'required';
      }),
    ),
  ],
} as const satisfies Mutations;
