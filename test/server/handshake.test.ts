import { expect, it, onTestFinished } from 'vitest';

import { createTaskServer } from '../../runtime/server/index.js';
import { clientOf } from './pipes.js';
import { post, rig, tokenOf } from './support.js';

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

it('a handshake with more than 65,536 characters about the client opens no session', async () => {
  const { http } = await rig();
  const begin = async (title: string) => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1', title },
    };
    const headers = { authorization: `Bearer ${tokenOf('ann')}` };
    const response = await post(http, { id: 1, method: 'initialize', params }, headers);
    return { session: response.headers.get('mcp-session-id'), text: await response.text() };
  };
  const refused = await begin('x'.repeat(65_536));
  expect(refused.session).toBeNull();
  expect(refused.text).toContain('limit 65536');
  expect((await begin('x'.repeat(65_000))).session).not.toBeNull();
});
