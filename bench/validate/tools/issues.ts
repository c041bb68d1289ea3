import {
  choice,
  closed,
  flag,
  list,
  named,
  object,
  page,
  text,
  tool,
  when,
  whole,
} from './schema.js';
import type { Schema, ToolSchema } from './schema.js';

const repository: Readonly<Record<string, Schema>> = {
  owner: named('Owner of the repository', '^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$', 'octo'),
  repo: named('Name of the repository', '^[\\w.-]{1,100}$', 'hello-world'),
};
const IN = ['owner', 'repo'] as const;
const number = whole('Number of the issue', { minimum: 1 });
const labels = list(text('A label', { minLength: 1, maxLength: 50 }), {
  maxItems: 100,
  uniqueItems: true,
});
const people = list(text('A login', { minLength: 1, maxLength: 39 }), { maxItems: 10 });

const comment = object(
  {
    path: text('File of the comment', { minLength: 1 }),
    body: text('Text in Markdown', { minLength: 1, maxLength: 65536 }),
    line: whole('Last line', { minimum: 1 }),
    startLine: whole('First line', { minimum: 1 }),
    side: choice('Side of the diff', 'LEFT', 'RIGHT'),
    startSide: choice('Side of the first line', 'LEFT', 'RIGHT'),
    subjectType: choice('Level of the comment', 'LINE', 'FILE'),
  },
  ['path', 'body'],
  closed,
);

/** As trackers of issues and pull requests have them. */
export const ISSUE_TOOLS: readonly ToolSchema[] = [
  tool('get_issue', { ...repository, issueNumber: number }, [...IN, 'issueNumber'], closed),
  tool(
    'create_issue',
    {
      ...repository,
      title: text('Title', { minLength: 1, maxLength: 256 }),
      body: text('Text in Markdown', { maxLength: 65536 }),
      labels,
      assignees: people,
      milestone: whole('Number of the milestone', { minimum: 1 }),
      type: text('Type of the issue'),
    },
    [...IN, 'title'],
  ),
  tool(
    'update_issue',
    {
      ...repository,
      issueNumber: number,
      title: text('Title', { minLength: 1, maxLength: 256 }),
      body: { type: ['string', 'null'], description: 'Text, or null to remove it' },
      state: choice('New state', 'open', 'closed'),
      stateReason: choice(
        'Reason of the state',
        'completed',
        'not_planned',
        'reopened',
        'duplicate',
      ),
      duplicateOf: number,
      labels,
      assignees: people,
      milestone: { anyOf: [whole('Number', { minimum: 1 }), { type: 'null' }] },
    },
    [...IN, 'issueNumber'],
  ),
  tool(
    'list_issues',
    {
      ...repository,
      ...page,
      state: choice('State', 'open', 'closed', 'all'),
      sort: choice('Order', 'created', 'updated', 'comments'),
      direction: choice('Direction', 'asc', 'desc'),
      since: when('Only those updated since'),
      labels,
      creator: text('Login of the creator'),
      mentioned: text('A login that is mentioned'),
      after: text('Cursor'),
    },
    IN,
  ),
  tool(
    'search_issues',
    {
      query: text('Search terms', { minLength: 1, maxLength: 256 }),
      ...page,
      sort: choice(
        'Order',
        ...['comments', 'reactions', 'reactions-+1', 'reactions--1', 'reactions-smile'],
        ...['reactions-thinking_face', 'reactions-heart', 'interactions', 'created', 'updated'],
      ),
      order: choice('Direction', 'asc', 'desc'),
      owner: repository['owner'] ?? {},
      repo: repository['repo'] ?? {},
    },
    ['query'],
  ),
  tool(
    'create_pull_request',
    {
      ...repository,
      title: text('Title', { minLength: 1, maxLength: 256 }),
      head: text('Branch with the changes', { minLength: 1 }),
      base: text('Branch to merge into', { minLength: 1 }),
      body: text('Text in Markdown', { maxLength: 65536 }),
      draft: flag('Whether it is a draft'),
      maintainerCanModify: flag('Whether maintainers can edit', true),
      reviewers: people,
    },
    [...IN, 'title', 'head', 'base'],
  ),
  tool(
    'create_review',
    {
      ...repository,
      pullNumber: number,
      event: choice('What the review does', 'APPROVE', 'REQUEST_CHANGES', 'COMMENT'),
      body: text('Text in Markdown'),
      commitId: named('Commit', '^[0-9a-f]{40}$', '0123456789abcdef0123456789abcdef01234567'),
      comments: list({ $ref: '#/$defs/comment' }, { maxItems: 50 }),
    },
    [...IN, 'pullNumber', 'event'],
    { $defs: { comment }, additionalProperties: false },
  ),
  tool(
    'push_files',
    {
      ...repository,
      branch: text('Branch', { minLength: 1 }),
      message: text('Message of the commit', { minLength: 1 }),
      files: list(
        object({ path: text('Path', { minLength: 1 }), content: text('Content') }, [
          'path',
          'content',
        ]),
        { minItems: 1, maxItems: 300 },
      ),
    },
    [...IN, 'branch', 'message', 'files'],
  ),
  tool(
    'run_workflow',
    {
      ...repository,
      workflow: { oneOf: [whole('Id'), named('File', '\\.ya?ml$', 'ci.yml')] },
      ref: text('Branch or tag', { minLength: 1 }),
      inputs: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
    },
    [...IN, 'workflow', 'ref'],
  ),
  tool(
    'manage_notifications',
    {
      action: choice('What to do', 'ignore', 'watch', 'delete'),
      ...repository,
      all: flag('Also those that were read'),
      participating: flag('Only where the user takes part'),
      since: when('Only those since'),
      before: when('Only those before'),
    },
    ['action'],
    {
      if: { properties: { action: { const: 'watch' } }, required: ['action'] },
      then: { required: [...IN] },
    },
  ),
];
