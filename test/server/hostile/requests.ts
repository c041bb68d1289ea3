import fc from 'fast-check';

import { changed, type Draft, INITIALIZE, REQUESTS } from '../drafts.js';
import { headerChanges } from './header-changes.js';
import { type HostileRequest, requestOf } from './request.js';
import { changedText, placed } from './text-changes.js';

const DRAFTS = Object.values(REQUESTS);

const SESSION: Draft['headers'] = { ...REQUESTS['core ping']?.headers };
const inSession = (message: object): Draft => ({ headers: SESSION, message });
const OTHERS: readonly Draft[] = [
  INITIALIZE,
  inSession({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  inSession({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }),
  inSession({ jsonrpc: '2.0', method: 'tasks/get', params: { taskId: '{core-working}' } }),
  inSession({ jsonrpc: '2.0', id: 7, result: {} }),
  inSession({ jsonrpc: '2.0', id: 7, error: { code: -1, message: 'none' } }),
  inSession({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'none' } }),
  inSession({ jsonrpc: '2.0', id: 7, method: 'tasks/result', params: { taskId: '{task}' } }),
  inSession({ jsonrpc: '2.0', id: 7, method: 'tasks/get', params: { taskId: '{task}' } }),
  inSession({ jsonrpc: '2.0', id: 7, method: 'tasks/list', params: { cursor: '{cursor}' } }),
];

/** Values in the place of another, as JSON text. */
function changedDrafts(drafts: readonly Draft[]): fc.Arbitrary<Draft> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...drafts, ...OTHERS) },
    { weight: 1, arbitrary: changed([...drafts, ...OTHERS]) },
  );
}

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'OPTIONS', 'DELETE', 'TRACE', 'SEARCH', 'post'];
const TARGETS = [
  '/mcp?x=1',
  '/mcp?',
  '/mcp#x',
  '/mcp/',
  '//mcp',
  '/./mcp',
  '/x/../mcp',
  '/x/%2e%2e/mcp',
  '/%6dcp',
  '/MCP',
  '/mcp%00',
  '/mcp;x',
  '/\\mcp',
  'http://localhost/mcp',
  'HTTP://LOCALHOST/mcp',
  'https://localhost/mcp?x',
  'http://evil.example/mcp',
  '/health',
  '/health?x',
  '/health/live',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-protected-resource',
  '*',
  '/',
];

/** Requests of drafts whose messages are changed, most of them. */
export const hostileMessages: fc.Arbitrary<HostileRequest> = fc
  .tuple(fc.constantFrom(...DRAFTS, ...OTHERS), placed)
  .map(([draft, changes]) => {
    const request = requestOf(draft);
    return { ...request, body: changedText(request.body, changes) };
  });

/** A request of a draft, changed in some places. */
export const hostileRequests = (drafts: readonly Draft[] = DRAFTS): fc.Arbitrary<HostileRequest> =>
  fc
    .record({
      draft: changedDrafts(drafts),
      changes: placed,
      headers: fc.array(headerChanges, { maxLength: 2 }),
      method: fc.oneof(
        { weight: 9, arbitrary: fc.constant('POST') },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
      target: fc.oneof(
        { weight: 9, arbitrary: fc.constant('/mcp') },
        { weight: 1, arbitrary: fc.constantFrom(...TARGETS) },
      ),
      version: fc.oneof(
        { weight: 19, arbitrary: fc.constant('HTTP/1.1') },
        { weight: 1, arbitrary: fc.constant('HTTP/1.0') },
      ),
      chunks: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        {
          weight: 1,
          arbitrary: fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 }),
        },
      ),
    })
    .map(({ draft, changes, headers, ...rest }) => {
      const request = requestOf(draft);
      return {
        ...rest,
        headers: headers.reduce((all, change) => change(all), request.headers),
        body: changedText(request.body, changes),
      };
    });
