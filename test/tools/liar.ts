import { createInterface } from 'node:readline';

/** A server that lies, by the name of its lie. What it says is not what the SDK would let it say. */
interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly cursor?: string };
}

const tool = (name: string, inputSchema: unknown = { type: 'object' }): object => ({
  name,
  inputSchema,
});
const nested = (depth: number): string => `${'{"not":'.repeat(depth)}{}${'}'.repeat(depth)}`;

/** Results as text: not all of them are values that `JSON.stringify` takes. */
const LIES: Readonly<Record<string, (request: Request) => string>> = {
  endless: ({ params }) => JSON.stringify({ tools: [], nextCursor: `${params?.cursor ?? ''}x` }),
  repeating: () => JSON.stringify({ tools: [tool('one')], nextCursor: 'again' }),
  shapeless: () => JSON.stringify({ tools: 'all of them' }),
  mixed: () => JSON.stringify({ tools: [tool('good'), null, { name: 7 }, tool('bad', 'schema')] }),
  deep: () => `{"tools":[{"name":"deep","inputSchema":${nested(400)}}]}`,
  bottomless: () => `{"tools":[{"name":"deep","inputSchema":${nested(100_000)}}]}`,
  huge: () => JSON.stringify({ tools: [tool('huge', { description: 'x'.repeat(17_000_000) })] }),
};

const lie = process.argv[2] ?? '';
process.stderr.write('\u001b[31mI am honest\u001b[0m\n');
const say = (message: object): void => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
};
if (lie === 'babbling') process.stdout.write('hello\n'.repeat(100));
if (lie === 'leaving') process.exit(3);

createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line) as Request;
  const { id, method } = request;
  if (id === undefined || lie === 'silent') return;
  if (method === 'initialize') {
    const serverInfo = { name: '../../\u001b[31mevil', version: '1' };
    say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list' && LIES[lie]) {
    const result = LIES[lie](request);
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`);
  } else say({ id, error: { code: -32601, message: 'No such method \u001b[31m' } });
});
