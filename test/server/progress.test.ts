import { describe, expect, it } from 'vitest';

import { type Message, messagesOf, legacy, modernResponse, rig, until } from './support.js';
import { getExt, startCore, startExt } from './steps.js';
import { release } from './tools.js';

/** Of the tool `held`, which reports 1 of 2. */
const HALF_WAY = '50% (1/2)';

async function first(
  messages: AsyncGenerator<Message>,
  holds: (message: Message) => boolean,
): Promise<Message> {
  for await (const message of messages) if (holds(message)) return message;
  throw new Error('The stream has ended');
}

describe('the progress of a task', () => {
  it('shows in the status message, to polls and notifications of the core dialect', async () => {
    const client = await legacy(await rig());
    const stream = await client.listen();
    const { taskId } = await startCore(client, 'held', { label: 'progress-core' });
    const { params } = await first(stream, ({ params }) => params?.['statusMessage'] === HALF_WAY);
    expect(params).toMatchObject({ taskId, status: 'working' });
    const { result } = await client.request('tasks/get', { taskId });
    expect(result).toMatchObject({ statusMessage: HALF_WAY });
    release('progress-core');
    const { result: ended } = await until(
      () => client.request('tasks/get', { taskId }),
      ({ result }) => result?.['status'] === 'completed',
    );
    expect(ended).not.toHaveProperty('statusMessage');
  });

  it('EXT-NOT-2 shows in the status message, to polls and notifications of the extension', async () => {
    const rigged = await rig();
    const taskId = await startExt(rigged, 'held', { label: 'progress-ext' });
    const listening = await modernResponse(rigged, 'subscriptions/listen', {
      notifications: { taskIds: [taskId] },
    });
    const { method } = await first(
      messagesOf(listening),
      ({ params }) => params?.['statusMessage'] === HALF_WAY,
    );
    expect(method).toBe('notifications/tasks');
    expect(await getExt(rigged, taskId)).toMatchObject({ statusMessage: HALF_WAY });
    release('progress-ext');
  });
});
