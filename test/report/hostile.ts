import { HOSTILE } from '../explore/pages.js';
import { START } from '../validate/support.js';

const jsonrpc = '2.0';
const DEPTH = 20_000;

/** A recording whose texts would run or load something, and whose values are deep, long or broken. */
export function hostileRecording(): string {
  const messages = HOSTILE.flatMap((each) => [
    {
      direction: each,
      session: each,
      time: each,
      message: { jsonrpc, id: each, method: each, params: { [each]: each, name: each } },
    },
    {
      jsonrpc,
      id: each,
      method: 'tools/call',
      params: { name: each, task: { ttl: each }, _meta: { progressToken: each } },
    },
    {
      jsonrpc,
      id: each,
      result: {
        task: { taskId: each, status: each, createdAt: each },
        content: [{ type: 'text', text: each }],
      },
    },
    { jsonrpc, id: each, error: { code: 1, message: each, data: { [each]: each } } },
    {
      jsonrpc,
      method: 'notifications/progress',
      params: { progressToken: each, progress: 1, total: 2, message: each },
    },
  ]);
  return [
    ...[...START, ...messages].map((each) => JSON.stringify(each)),
    '{"__proto__":{"polluted":true},"jsonrpc":"2.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","constructor":{"prototype":1},"id":"\u2028","method":"__proto__"}',
    `{"jsonrpc":"2.0","id":2,"method":"ping","params":${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}}`,
    `{"jsonrpc":"2.0","id":3,"method":"${'m'.repeat(200_000)}"}`,
    '{"jsonrpc": "2.0", </script><script>globalThis.broken = 1</script>',
    'null',
    '"text"',
    '[1, 2]',
  ].join('\n');
}
