import { describe, expect, it } from 'vitest';
import type { RequestInfo } from '../../generated/support/protocol.js';
import { declares, methodsOf, type Rows } from '../../runtime/peer/index.js';

const info = (parts: Partial<RequestInfo>): RequestInfo =>
  ({ senders: ['client'], carrier: 'message', capabilities: [], ...parts }) as RequestInfo;

describe('the methods that a server serves', () => {
  const requests = {
    plain: info({}),
    shared: info({ senders: ['client', 'server'] }),
    own: info({ senders: ['server'] }),
    carried: info({ carrier: 'input' }),
    needy: info({ capabilities: [{ party: 'server', path: ['tools', 'deep'] }] }),
    foreign: info({ capabilities: [{ party: 'client', path: ['roots'] }] }),
    rowless: info({}),
  };
  const answer = (): object => ({});
  const rows: Rows<undefined> = Object.fromEntries(
    [...Object.keys(requests), 'unknown']
      .filter((method) => method !== 'rowless')
      .map((method) => [method, { answer: answer as never }]),
  );
  const served = (capabilities: object): string[] =>
    [...methodsOf({ requests }, 'server', rows, capabilities as never).keys()].sort();

  it('have a row, come as messages of the other side, and have their capabilities', () => {
    expect(served({})).toEqual(['foreign', 'plain', 'shared']);
    expect(served({ tools: { deep: {} } })).toEqual(['foreign', 'needy', 'plain', 'shared']);
    expect(served({ tools: {} })).not.toContain('needy');
  });

  it('have their row and what the revision says, and are checked as themselves by default', () => {
    const own = { plain: { answer }, shared: { answer, checkedAs: 'plain' } } as never;
    const methods = methodsOf({ requests }, 'server', own, {});
    expect(methods.get('plain')).toEqual({
      method: 'plain',
      info: requests.plain,
      answer,
      checkedAs: 'plain',
    });
    expect(methods.get('shared')).toMatchObject({ method: 'shared', checkedAs: 'plain' });
  });
});

describe('a capability', () => {
  const needed = [
    { party: 'server', path: ['tools'] },
    { party: 'server', path: ['tasks', 'list'] },
    { party: 'client', path: ['roots'] },
  ] as const;

  it.each<[object, boolean]>([
    [{ tools: {}, tasks: { list: {} } }, true],
    [{ tools: true, tasks: { list: true } }, true],
    [{ tools: {}, tasks: {} }, false],
    [{ tasks: { list: {} } }, false],
    [{ tools: false, tasks: { list: {} } }, false],
    [{}, false],
  ])('is declared by %j: %s', (capabilities, expected) => {
    expect(declares(needed, 'server', capabilities as never)).toBe(expected);
  });

  it('of the other side is not asked for', () => {
    expect(declares(needed.slice(2), 'server', {})).toBe(true);
    expect(declares([], 'server', {})).toBe(true);
  });
});
