import { describe, expect, it, onTestFinished } from 'vitest';

import { createTaskServer, serveHttp } from '../../runtime/server/index.js';
import { running, serveHealth } from '../../runtime/program/index.js';
import { pipedTo } from '../support/stdio.js';
import { clientConfigOf, configText } from '../../runtime/program/options.js';

async function newServer() {
  const server = await createTaskServer({
    name: 'reports',
    version: '1.0.0',
    tools: [],
    onError: () => undefined,
  });
  onTestFinished(() => server.close(0));
  return server;
}

describe('the configuration for clients', () => {
  it('has the command with which a server over stdio was started', async () => {
    const server = await newServer();
    const { handle } = pipedTo(server);
    const startedAs = {
      execPath: '/usr/bin/node',
      execArgv: ['--import', 'tsx'],
      argv: ['/usr/bin/node', '/srv/a b/main.js', '--debug'],
    };
    expect(clientConfigOf('reports', handle, startedAs)).toEqual({
      mcpServers: {
        reports: {
          command: '/usr/bin/node',
          args: ['--import', 'tsx', '/srv/a b/main.js', '--debug'],
        },
      },
    });
  });

  it('has the URL of a server over HTTP, and no token', async () => {
    const server = await newServer();
    const started = await running(server, serveHttp(server, { allowUnidentified: true }));
    onTestFinished(() => started.close(0));
    const { address, clientConfig } = started;
    expect(clientConfig).toEqual({ mcpServers: { reports: { type: 'http', url: address } } });
    const [, text = ''] = configText(clientConfig ?? expect.unreachable()).split('\n\n');
    expect(JSON.parse(text)).toEqual(clientConfig);
  });

  it('is left out for a process without clients', async () => {
    const server = await newServer();
    const started = await running(server, serveHealth(server));
    onTestFinished(() => started.close(0));
    expect(started).not.toHaveProperty('clientConfig');
  });
});
