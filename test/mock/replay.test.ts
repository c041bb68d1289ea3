import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mock } from '../../contracts/mock/mock.js';
import type { MockServer } from '../../contracts/mock/types.js';
import { transportTo } from '../support/stdio.js';
import { exampleServer } from './example-server.js';
import { recordTo, temporaryFolder } from './support.js';
import { type Talk, TALKS, withoutChance } from './talks.js';

async function started(recording: string): Promise<MockServer> {
  const server = await mock(recording);
  onTestFinished(() => server.close());
  return server;
}

describe.each(Object.entries(TALKS))('what %s was answered', (_, talk: Talk) => {
  it('is what a mock answers, and a mock of the recorded mock', async () => {
    const file = join(temporaryFolder(), 'session.jsonl');
    const again = join(temporaryFolder(), 'again.jsonl');
    const server = await exampleServer();
    onTestFinished(() => server.close());
    const original = withoutChance(await talk(recordTo(file, transportTo(server)) as never));
    const played = await started(file);
    const second = withoutChance(await talk(recordTo(again, played.transport()) as never));
    expect(second).toEqual(original);
    expect(played.requests.filter(({ answeredBy }) => answeredBy === 'nothing')).toEqual([]);
    const third = await started(again);
    expect(withoutChance(await talk(third.transport() as never))).toEqual(original);
  });
});
