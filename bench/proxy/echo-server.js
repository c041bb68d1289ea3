// Answers each request with the same result, over stdio, or over HTTP with the argument `http`. It does no more, so that
// what the proxy adds is seen.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

/** @param {string} line */
function answerTo(line) {
  const { id } = JSON.parse(line);
  const content = [{ type: 'text', text: 'An answer of some words. '.repeat(20) }];
  return JSON.stringify({ jsonrpc: '2.0', id, result: { content } });
}

if (process.argv[2] === 'http') {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    response.writeHead(200, { 'content-type': 'application/json' }).end(answerTo(text));
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    console.log(`http://127.0.0.1:${port}/mcp`);
  });
} else {
  createInterface(process.stdin).on('line', (line) => process.stdout.write(`${answerTo(line)}\n`));
}
