import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAudit } from '../../cli/client/cluster/audit.js';
import type { Node } from '../../cli/client/cluster/processes.js';
import { startProxy } from '../../cli/client/cluster/proxy.js';

/** A web node that does with each request what the test says. */
async function node(
  name: string,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Node> {
  const http = createServer(answer).listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return { name, role: 'web', pid: 0, url, stop: () => Promise.resolve() };
}

const echo = (name: string): Promise<Node> =>
  node(name, ({ headers }, response) => {
    response.end(`${name} ${String(headers['mcp-session-key'])}`);
  });

async function proxyTo(...nodes: readonly Node[]): Promise<string> {
  const proxy = await startProxy(nodes, 0);
  onTestFinished(() => proxy.close());
  return proxy.url;
}

const textOf = async (url: string, session?: string): Promise<string> =>
  (
    await fetch(url, { headers: session === undefined ? {} : { 'mcp-session-id': session } })
  ).text();

describe('the proxy', () => {
  it('gives requests to the web nodes in turn, and those of a session to its node', async () => {
    const worker: Node = { ...(await echo('worker-1')), role: 'worker' };
    const url = await proxyTo(await echo('web-1'), worker, await echo('web-2'));
    const turns = [await textOf(url), await textOf(url), await textOf(url)];
    expect(turns).toEqual(['web-2 web-2', 'web-1 web-1', 'web-2 web-2']);
    for (const name of ['web-1', 'web-2']) {
      const answers = [await textOf(url, `${name}.x`), await textOf(url, `${name}.x`)];
      expect(answers).toEqual([`${name} ${name}`, `${name} ${name}`]);
    }
    // A session of no node.
    expect(await textOf(url, 'worker-1.x')).toMatch(/^web-/);
  });

  it('answers for nodes that are missing or do not answer', async () => {
    expect((await fetch(await proxyTo())).status).toBe(503);
    const broken = await node('web-1', ({ socket }) => socket.destroy());
    expect((await fetch(await proxyTo(broken))).status).toBe(502);
  });

  it.each([
    ['//', '200'],
    ['//other.example/mcp', '200'],
    ['/\\\\other.example/mcp', '200'],
    ['http://other.example/mcp', '400'],
    ['*', '400'],
  ])('passes a request for %s on to no other host', async (target, status) => {
    const url = new URL(await proxyTo(await echo('web-1')));
    const socket = connect(Number(url.port), url.hostname);
    socket.write(`OPTIONS ${target} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('passes on streams as they come, and ends them with their client', async () => {
    let ended: Promise<unknown> | undefined;
    const streaming = await node('web-1', (_, response) => {
      ended = once(response, 'close');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    const abort = new AbortController();
    const response = await fetch(await proxyTo(streaming), { signal: abort.signal });
    const reader = response.body?.getReader();
    expect(String(Buffer.from((await reader?.read())?.value ?? []))).toBe('data: 1\n\n');
    abort.abort();
    await ended;
  });
});

describe('the audit', () => {
  it('finds the node of an event, also of one that comes later', async () => {
    const audit = createAudit();
    audit.note('web-1', { event: 'created', taskId: 'a' });
    audit.note('web-2', { event: 7, taskId: 'b' });
    expect(await audit.nodeOf(['created'], 'a')).toBe('web-1');
    const later = audit.nodeOf(['completed', 'failed'], 'a');
    audit.note('worker-1', { event: 'completed', taskId: 'other' });
    audit.note('worker-2', { event: 'failed', taskId: 'a' });
    expect(await later).toBe('worker-2');
  });
});
