import { createInterface } from 'node:readline';

/** A server that breaks the protocol. It writes each message that reaches it to standard error. */
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const { id, method, error } = message;
  console.error(`got ${method ?? `error ${error?.code}`}`);
  if (method === 'initialize') {
    const serverInfo = { name: 'careless', version: '1.0.0' };
    send({
      id,
      result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
    });
  }
  if (method === 'tools/list') send({ id, result: { tools: [{ name: 7 }] } });
  if (method === 'ping') {
    console.log('not a message');
    send({ method: 'notifications/message', params: { level: 'loud', data: 1 } });
    send({ id: 'mine', method: 'tools/call', params: { name: 'a-tool-of-the-client' } });
    send({ id: 4711, result: {} });
    send({ id, result: {} });
  }
}
