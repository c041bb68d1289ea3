import { getEventListeners } from 'node:events';
import { beforeAll, expect, it } from 'vitest';
import { ConnectionClosed } from '../../runtime/peer/index.js';
import { DIALECT_VERSIONS, METHODS } from '../../runtime/protocol.js';
import { ON_DEMAND } from '../../runtime/peer/wire/on-demand.js';
import type { Revision } from '../../runtime/peer/wire/revision.js';
import { loadRevisions, offeredVersions } from '../../runtime/peer/wire/revisions.js';
import { KeptChannel, ORIGIN, peerOf } from './wire.js';

let core: Revision;
beforeAll(async () => {
  const { loaded } = await loadRevisions(offeredVersions(), true, ON_DEMAND);
  core = loaded.get(DIALECT_VERSIONS.core) as Revision;
});

it('questions that have ended leave no listener on a signal that outlives them', async () => {
  const { signal } = new AbortController();
  const { peer } = peerOf(core, {});
  const channel = new KeptChannel();
  const answered = peer.askOn(channel, core, METHODS.ping, {}, { signal });
  const failed = peer.askOn(channel, core, METHODS.ping, {}, { signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(2);
  const [first, second] = channel.sent.map(({ id }) => id);
  peer.receive({ jsonrpc: '2.0', id: first, result: {} }, new KeptChannel(), ORIGIN);
  peer.fail(second as number, new Error('no answer can come'));
  await expect(answered).resolves.toEqual({});
  await expect(failed).rejects.toThrow('no answer can come');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('a question after the connection closed is rejected and not sent', async () => {
  const { peer } = peerOf(core, {});
  const channel = new KeptChannel();
  peer.close();
  await expect(peer.askOn(channel, core, METHODS.ping, {})).rejects.toThrow(ConnectionClosed);
  expect(channel.sent).toEqual([]);
});
