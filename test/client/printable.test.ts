import { describe, expect, it } from 'vitest';

import { connect, peer } from './harness.js';

const HOSTILE = `\u001b[2Jdisk \u202efull\n${'x'.repeat(100_000)}`;
const SHOWN = /^\\u\{1b\}\[2Jdisk \\u\{202e\}full\nx{900,1000}…$/;

describe.each(['core', 'ext'] as const)('messages of errors (%s)', (dialect) => {
  const answering = async (answer: Record<string, unknown>) => {
    const server = peer(({ method }) => (method === 'tools/call' ? answer : undefined), {
      dialect,
    });
    return (await connect(server.transport, dialect)).tasks;
  };

  it('contain the text of the tool, bounded and printable', async () => {
    const blocks = HOSTILE.split('\n').map((text) => ({ type: 'text', text }));
    const tasks = await answering({ resultType: 'complete', content: blocks, isError: true });
    await expect(tasks.call('work')).rejects.toMatchObject({
      reason: 'tool_error',
      message: expect.stringMatching(SHOWN) as string,
      failure: { result: { content: blocks } },
    });
  });

  it('contain the message of the server, bounded and printable', async () => {
    const tasks = await answering({ code: -32000, message: HOSTILE });
    await expect(tasks.call('work')).rejects.toMatchObject({
      reason: 'rpc_error',
      message: expect.stringMatching(SHOWN) as string,
      failure: { error: { message: HOSTILE } },
    });
  });
});
