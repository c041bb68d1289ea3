import { trace } from '@opentelemetry/api';
import { expect, it } from 'vitest';
import { recordTelemetry } from '../support/telemetry.js';
import { revisions } from './revisions.js';
import { KeptChannel, ORIGIN, peerOf } from './wire.js';

const recorded = recordTelemetry();
const { core } = await revisions();

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
