import { trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';

import { recordTelemetry } from '../support/telemetry.js';
import { ANN, ending, refusal, rig, turns } from './support.js';

const recorded = recordTelemetry();

const traceId = '0af7651916cd43dd8448eb211c80319c';
const meta = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };

describe('telemetry', () => {
  it("is one trace from the requestor's, through submission and execution, to retrieval", async () => {
    const tasks = await rig({
      inner: () => {
        trace.getTracer('handler').startSpan('handler work').end();
        return { content: [] };
      },
    });
    await ending(tasks, await tasks.start('inner', { meta }));
    await turns();
    const finished = recorded.spans();
    expect(finished.map(({ name }) => name).sort()).toEqual([
      'handler work',
      'tasks.execute',
      'tasks.retrieve',
      'tasks.submit',
    ]);
    const named = (name: string) => finished.find((span) => span.name === name);
    for (const span of finished) expect(span.spanContext().traceId).toBe(traceId);
    const submitted = named('tasks.submit')?.spanContext().spanId;
    expect(named('tasks.execute')?.parentSpanContext?.spanId).toBe(submitted);
    expect(named('tasks.retrieve')?.parentSpanContext?.spanId).toBe(submitted);
    expect(named('handler work')?.parentSpanContext?.spanId).toBe(
      named('tasks.execute')?.spanContext().spanId,
    );
  });

  it('SEC-8 counts creations, ends, failed look-ups and over-eager polls', async () => {
    const tasks = await rig({ never: () => new Promise(() => undefined) });
    const { id } = await tasks.start('never');
    await refusal(tasks.engine.get(ANN, 'bogus'));
    for (let poll = 0; poll < 3; poll += 1) await tasks.engine.get(ANN, id);
    await tasks.engine.cancel(ANN, id);
    const total = async (name: string): Promise<number> => {
      const points = await recorded.points(name);
      return points.reduce((sum, { value }) => sum + Number(value), 0);
    };
    expect(await total('mcp.tasks.created')).toBeGreaterThanOrEqual(1);
    expect(await total('mcp.tasks.ended')).toBeGreaterThanOrEqual(1);
    expect(await total('mcp.tasks.refused')).toBe(1);
    expect(await total('mcp.tasks.eager_polls')).toBe(2);
  });
});
