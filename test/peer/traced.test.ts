import { trace } from '@opentelemetry/api';
import { beforeAll, expect, it } from 'vitest';
import { DIALECT_VERSIONS } from '../../runtime/protocol.js';
import { ON_DEMAND } from '../../runtime/peer/wire/on-demand.js';
import type { Revision } from '../../runtime/peer/wire/revision.js';
import { loadRevisions, offeredVersions } from '../../runtime/peer/wire/revisions.js';
import { recordTelemetry } from '../support/telemetry.js';
import { KeptChannel, ORIGIN, peerOf } from './wire.js';

const recorded = recordTelemetry();

let core: Revision;
beforeAll(async () => {
  const { loaded } = await loadRevisions(offeredVersions(), true, ON_DEMAND);
  core = loaded.get(DIALECT_VERSIONS.core) as Revision;
});

it('a handler runs in the span of its request, so that spans of its own continue the trace', async () => {
  const active: (string | undefined)[] = [];
  const answer = (): { content: [] } => {
    active.push(trace.getActiveSpan()?.spanContext().spanId);
    return { content: [] };
  };
  const { peer } = peerOf(core, { 'tools/call': { answer } }, { capabilities: { tools: {} } });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'it' } };
  peer.receive(call, new KeptChannel(), ORIGIN);
  await expect.poll(() => recorded.named('tools/call')).toHaveLength(1);
  expect(active).toEqual(recorded.named('tools/call').map((span) => span.spanContext().spanId));
});
