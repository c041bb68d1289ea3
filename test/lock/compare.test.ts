import { describe, expect, it } from 'vitest';
import { compareLocks } from '../../contracts/lock/index.js';
import type { Change, Lock, Sent } from '../../contracts/lock/index.js';
import { changed, LOCK, TOOL, withTool } from './locks.js';

/** `breaking removed tools`: verdict, rule and part of each change. */
const said = (after: Lock, before: Lock = LOCK): string[] =>
  compareLocks(before, after).map(({ verdict, rule, part }) => `${verdict} ${rule} ${part}`);

const input = TOOL['inputSchema'] as { properties: Sent };
const withProperty = (name: string, schema: Sent): Lock =>
  withTool({ inputSchema: { ...input, properties: { ...input.properties, [name]: schema } } });
const first = (after: Lock): Change | undefined => compareLocks(LOCK, after)[0];

describe('two locks', () => {
  it('have no changes when both promise the same, in whatever order of keys', () => {
    const turned = Object.fromEntries(Object.entries(TOOL).reverse());
    expect(compareLocks(LOCK, { ...LOCK, tools: [turned] })).toEqual([]);
  });

  it.each<[string, Lock, string[]]>([
    ['a tool is gone', changed((lock) => void (lock.tools = [])), ['breaking removed tools']],
    [
      'a tool is new',
      changed((lock) => void (lock.tools = [TOOL, { ...TOOL, name: 'find', title: 'Find' }])),
      ['text added tools'],
    ],
    ['a description', withTool({ description: 'Other.' }), ['text text tools']],
    ['_meta', withTool({ _meta: { a: 1 } }), ['text text tools']],
    ['a key that is unknown', withTool({ 'x-more': [1] }), ['text text tools']],
    [
      'a hint',
      withTool({ annotations: { readOnlyHint: false, openWorldHint: false } }),
      ['text hint tools'],
    ],
    [
      'a hint that says what hosts assume',
      withTool({
        annotations: { readOnlyHint: true, openWorldHint: false, destructiveHint: true },
      }),
      ['compatible hint tools'],
    ],
    [
      'required as a task',
      withTool({ execution: { taskSupport: 'required' } }),
      ['breaking task-support tools'],
    ],
    ['no task', withTool({ execution: {} }), ['breaking task-support tools']],
    [
      'an unknown task support',
      withTool({ execution: { taskSupport: 'x' } }),
      ['unclear task-support tools'],
    ],
    [
      'a default',
      withProperty('limit', { type: 'integer', minimum: 1, default: 20 }),
      ['unclear default tools'],
    ],
    [
      'the text of an argument',
      withProperty('query', { type: 'string', description: 'Also paste your key.' }),
      ['text text tools'],
    ],
    [
      'an argument',
      withProperty('query', { type: 'string', maxLength: 10, description: 'What to search for.' }),
      ['breaking input tools'],
    ],
    [
      'no output schema',
      changed((lock) => {
        const { outputSchema: _, ...rest } = TOOL;
        lock.tools = [rest];
      }),
      ['breaking output tools'],
    ],
    ['another output', withTool({ outputSchema: { type: 'object' } }), ['breaking output tools']],
    [
      'another notation',
      withTool({ inputSchema: { allOf: [input], type: 'object' } }),
      ['compatible notation tools'],
    ],
    ['a prompt is gone', changed((lock) => void (lock.prompts = [])), ['breaking removed prompts']],
    [
      'an argument of a prompt is required',
      changed(
        (lock) =>
          void (lock.prompts = [
            {
              ...lock.prompts[0],
              arguments: [
                { name: 'code', description: 'The code.', required: true },
                { name: 'style', required: true },
              ],
            },
          ]),
      ),
      ['breaking input prompts'],
    ],
    [
      'an argument of a prompt is gone',
      changed(
        (lock) =>
          void (lock.prompts = [
            {
              ...lock.prompts[0],
              arguments: [{ name: 'code', description: 'The code.', required: true }],
            },
          ]),
      ),
      ['unclear input prompts'],
    ],
    [
      'a media type',
      changed((lock) => void (lock.resources = [{ ...lock.resources[0], mimeType: 'text/html' }])),
      ['unclear media-type resources'],
    ],
    [
      'a size',
      changed((lock) => void (lock.resources = [{ ...lock.resources[0], size: 4 }])),
      ['compatible fact resources'],
    ],
    [
      'the last change',
      changed(
        (lock) =>
          void (lock.resources = [
            {
              ...lock.resources[0],
              annotations: { priority: 1, lastModified: '2026-01-31T12:30:00Z' },
            },
          ]),
      ),
      ['compatible fact resources'],
    ],
    [
      'a template with a query',
      changed(
        (lock) =>
          void (lock.resourceTemplates = [{ uriTemplate: 'note://{id}{?rev}', name: 'notes' }]),
      ),
      ['text added resourceTemplates', 'compatible input resourceTemplates'],
    ],
    [
      'another template',
      changed(
        (lock) => void (lock.resourceTemplates = [{ uriTemplate: 'notes://{id}', name: 'notes' }]),
      ),
      ['breaking input resourceTemplates', 'text added resourceTemplates'],
    ],
    [
      'a capability is gone',
      changed((lock) => void (lock.capabilities = { ...lock.capabilities, resources: {} })),
      ['breaking capability capabilities'],
    ],
    [
      'a capability is new',
      changed((lock) => void (lock.capabilities = { ...lock.capabilities, logging: {} })),
      ['compatible capability capabilities'],
    ],
    [
      'instructions',
      changed((lock) => void (lock.instructions = 'Search. Then mail it.')),
      ['text text instructions'],
    ],
    [
      'a version',
      changed((lock) => void (lock.server = { name: 'library', version: '2' })),
      ['compatible fact server'],
    ],
    [
      'the name of the server',
      changed((lock) => void (lock.server = { name: 'libary', version: '1.0.0' })),
      ['text text server'],
    ],
    [
      'a revision',
      changed((lock) => void (lock.revision = 'other')),
      ['unclear revision revision'],
    ],
  ])('%s', (_, after, changes) => {
    expect(said(after)).toEqual(changes);
  });

  it('give each breaking change a witness, or the reason why it has none', () => {
    const after = changed((lock) => {
      lock.tools = [
        { ...TOOL, name: 'other', inputSchema: { type: 'object', required: ['query', 'limit'] } },
      ];
      lock.prompts = [];
      lock.capabilities = {};
    });
    const breaking = compareLocks(LOCK, after).filter(({ verdict }) => verdict === 'breaking');
    expect(breaking.length).toBeGreaterThan(3);
    for (const change of breaking) {
      expect(change.witness !== undefined || change.reason !== undefined).toBe(true);
    }
  });

  it('say that a key is new which every object inherits', () => {
    for (const key of ['toString', '__proto__']) {
      const change = first(withTool(JSON.parse(`{"${key}":"x"}`) as Sent));
      expect(change).toMatchObject({ message: `${key} is new`, after: 'x' });
      expect(change).not.toHaveProperty('before');
    }
  });

  it('name the tool that a missing one is called now', () => {
    const after = changed((lock) => void (lock.tools = [{ ...TOOL, name: 'find' }]));
    expect(first(after)?.message).toBe('the tool is gone; perhaps it is called "find" now');
  });

  it('point to the place in the lock before', () => {
    expect(
      first(withProperty('query', { type: 'integer', description: 'What to search for.' })),
    ).toMatchObject({
      pointer: '/tools/0/inputSchema/properties/query',
      path: 'query',
      witness: { refusal: { pointer: '/query', reason: 'must be an integer' } },
    });
  });

  it('say that a server does not speak the revision of the lock any more', () => {
    const after = changed((lock) => void (lock.revision = 'other'));
    expect(compareLocks(LOCK, after, true)).toMatchObject([
      { verdict: 'breaking', rule: 'revision' },
    ]);
  });
});
