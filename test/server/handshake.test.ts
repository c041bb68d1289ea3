import { expect, it, onTestFinished } from 'vitest';

import { createTaskServer } from '../../runtime/server/index.js';
import { clientOf } from './pipes.js';

it('of two handshakes that come together, the second is refused', async () => {
  const server = await createTaskServer({ name: 'test', version: '1.0.0', tools: [] });
  onTestFinished(() => server.close(0));
  const client = clientOf(server);
  const clientInfo = { name: 'test', version: '1' };
  const begin = (id: number, protocolVersion: string) =>
    client.request({
      id,
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo },
    });
  const [first, second] = await Promise.all([begin(1, '2025-11-25'), begin(2, '2024-11-05')]);
  expect([first.error, second.error].filter(Boolean)).toMatchObject([{ code: -32600 }]);
});
