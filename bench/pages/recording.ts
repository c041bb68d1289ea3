/** A recording of a conversation: calls of a tool with progress, and their results, of 100 to 2,000 bytes. */
export function recording(messages: number): string {
  const lines: string[] = [];
  const begin = Date.parse('2026-01-01T00:00:00Z');
  const add = (direction: string, message: object): void => {
    const time = new Date(begin + 4 * lines.length).toISOString();
    lines.push(JSON.stringify({ direction, time, message: { jsonrpc: '2.0', ...message } }));
  };
  const server = { name: 'server', version: '1' };
  const protocolVersion = '2025-11-25';
  const clientInfo = { name: 'client', version: '1' };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: server };
  add('client->server', { id: 0, method: 'initialize', params });
  add('server->client', { id: 0, result });
  add('client->server', { method: 'notifications/initialized' });
  for (let id = 1; lines.length < messages; id += 1) {
    const name = `tool-${String(id % 40)}`;
    const call = { name, arguments: { chapter: id, query: `chapter ${String(id)}` } };
    add('client->server', {
      id,
      method: 'tools/call',
      params: { ...call, _meta: { progressToken: id } },
    });
    for (const progress of [1, 2]) {
      const said = { progressToken: id, progress, total: 3, message: `Page ${String(progress)}` };
      add('server->client', { method: 'notifications/progress', params: said });
    }
    const text = `Chapter ${String(id)}. `.repeat(1 + ((id * 37) % 150));
    add('server->client', { id, result: { content: [{ type: 'text', text }] } });
  }
  return `${lines.slice(0, messages).join('\n')}\n`;
}
