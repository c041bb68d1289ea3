import { describe, expect, it } from 'vitest';

import { rpcError } from '../../runtime/peer/index.js';
import { MessageFault } from '../../runtime/transport/reading/envelope.js';
import { METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { malformedAnswers } from '../support/malformed-answers.js';
import { revisions } from './revisions.js';
import { KeptChannel, ORIGIN, peerOf } from './wire.js';

const { core, ext, older } = await revisions();

const SIDES = [
  ['a server', core, 'client', METHODS.ping, {}],
  ['a server of 2025-06-18', older, 'client', METHODS.ping, {}],
  ['a client', core, 'server', METHODS.toolsList, { tools: [] }],
  ['a client of 2025-06-18', older, 'server', METHODS.toolsList, { tools: [] }],
  [
    'a client without sessions',
    ext,
    'server',
    METHODS.toolsList,
    { tools: [], resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
  ],
] as const;

const PARAMS: JsonObject = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': ext.version,
    'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

describe.each(SIDES)('a question of %s', (_name, revision, other, method, result) => {
  function asking() {
    const tested = peerOf(
      revision,
      {},
      {
        other,
        invalidAnswer: ({ message }) => rpcError(-32602, `Invalid answer: ${message}`),
      },
    );
    const channel = new KeptChannel();
    const ask = (): Promise<JsonObject> =>
      tested.peer.askOn(channel, revision, method, revision === ext ? PARAMS : {});
    const answer = (message: unknown): KeptChannel => {
      const back = new KeptChannel();
      tested.peer.receive(message, back, ORIGIN);
      return back;
    };
    const notify = (): Promise<void> =>
      tested.peer.notifyOn(channel, revision, METHODS.notificationsProgress, {
        progressToken: 1,
        progress: 1,
      });
    return { ...tested, channel, ask, answer, notify };
  }

  it.each(malformedAnswers(0, result))('ends with the reason for a $name', async (each) => {
    const { ask, answer, peer } = asking();
    const asked = ask();
    const { sent, closed } = answer(each.message);
    // Of a result and an error, either is too much, or missing.
    const place = each.place.replace(/^\/(result|error)$/, '/(result|error)');
    await expect(asked).rejects.toThrow(new RegExp(`^Invalid answer: .*${place}[ /]`));
    const isRequest = other === 'client' && typeof each.message['method'] === 'string';
    expect(sent).toMatchObject(isRequest ? [{ error: { code: -32600 } }] : []);
    expect([closed, peer.takeStrays()]).toEqual([1, '']);
  });

  it.each(malformedAnswers(0, result))('beside it goes on after a $name', async (each) => {
    const { ask, answer } = asking();
    const asked = [ask(), ask()];
    answer(each.message);
    await expect(asked[0]).rejects.toThrow('Invalid answer');
    answer({ jsonrpc: '2.0', id: 1, result });
    expect(await asked[1]).toEqual(result);
  });

  it('ends for an id that is a text instead of a number', async () => {
    const { ask, answer } = asking();
    const asked = ask();
    answer({ jsonrpc: '2.0', id: '0', result });
    await expect(asked).rejects.toThrow('Invalid answer: /id must be 0, as in the request');
  });

  const NO_IDS = [undefined, null, true, [0], { id: 0 }];
  it.each(NO_IDS)('ends for an error with the id %j, when it is the only one', async (id) => {
    const { ask, answer } = asking();
    const asked = ask();
    answer({ jsonrpc: '2.0', id, error: { code: -32603, message: 'The database is locked' } });
    await expect(asked).rejects.toThrow(
      'Invalid answer: An error came without an id: The database is locked',
    );
  });

  it.each(NO_IDS)('goes on after an error with the id %j when it is one of two', async (id) => {
    const { ask, answer, peer } = asking();
    const asked = [ask(), ask()];
    answer({ jsonrpc: '2.0', id, error: { code: -32603, message: 'The database is locked' } });
    for (const each of [0, 1]) answer({ jsonrpc: '2.0', id: each, result });
    expect(await Promise.all(asked)).toEqual([result, result]);
    expect(peer.takeStrays()).toBe('. An error came without an id: The database is locked');
    expect(peer.takeStrays()).toBe('');
  });

  it('goes on after an error without an id that may be about a notification', async () => {
    const { ask, answer, notify } = asking();
    const refused = { jsonrpc: '2.0', id: null, error: { code: -32601, message: 'No' } };
    await notify();
    const first = ask();
    answer(refused);
    answer({ jsonrpc: '2.0', id: 0, result });
    expect(await first).toEqual(result);
    // The answer shows that the notification was read before.
    const second = ask();
    answer(refused);
    await expect(second).rejects.toThrow('An error came without an id: No');
  });

  it.each([17, -1, 0.5, '17', 'other'])('goes on after an answer with the id %j', async (id) => {
    const { ask, answer, peer, late } = asking();
    const asked = ask();
    answer({ jsonrpc: '2.0', id, result });
    answer({ jsonrpc: '2.0', id: 0, result });
    expect(await asked).toEqual(result);
    expect(late()).toBe(1);
    expect(peer.takeStrays()).toBe(
      `. An answer came with the id ${JSON.stringify(id)}, which no request has`,
    );
  });

  it.each([{ id: 0 }, { id: 0, level: 'info' }, 0, 'text', null, [], [1], {}])(
    'goes on after %j, which is no answer',
    async (value) => {
      const { ask, answer } = asking();
      const asked = ask();
      answer(value);
      answer({ jsonrpc: '2.0', id: 0, result });
      expect(await asked).toEqual(result);
    },
  );

  it('ends when its answer comes in a list', async () => {
    const { ask, answer } = asking();
    const asked = [ask(), ask()];
    answer([{ jsonrpc: '2.0', id: 1, result }, 1, { jsonrpc: '2.0', id: 1, method: 'ping' }]);
    await expect(asked[1]).rejects.toThrow('It came in a list, which is refused');
    answer({ jsonrpc: '2.0', id: 0, result });
    expect(await asked[0]).toEqual(result);
  });

  it('ends with the fault of a text that answers it', async () => {
    const { ask, peer } = asking();
    const asked = [ask(), ask()];
    const others = Array.from({ length: 9 }, (_, at) => `Line ${String(at)} is no JSON`);
    for (const line of others) peer.faulted(new MessageFault(line));
    peer.faulted(new MessageFault('The line is cut', 1));
    await expect(asked[1]).rejects.toThrow('The line is cut');
    expect(peer.takeStrays()).toBe('. Line 6 is no JSON. Line 7 is no JSON. Line 8 is no JSON');
    peer.close();
    await expect(asked[0]).rejects.toThrow('closed');
  });
});
