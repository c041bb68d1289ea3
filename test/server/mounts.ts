import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { serve } from '@hono/node-server';
import express from 'express';
import Fastify, { type FastifyInstance, type RouteHandlerMethod } from 'fastify';
import { Hono } from 'hono';
import { onTestFinished } from 'vitest';

import {
  createHttpHandler,
  createNodeHandler,
  type HttpOptions,
  type NodeHandler,
  type TaskServer,
} from '../../runtime/server/index.js';

export const PAGE = 'https://app.example';
const OPTIONS: HttpOptions = { allowUnidentified: true, allowedOrigins: [PAGE] };

function nodeHandler(server: TaskServer): NodeHandler {
  const handler = createNodeHandler(server, OPTIONS);
  onTestFinished(() => handler.close());
  return handler;
}

function portOf(http: Pick<Server, 'address' | 'close'>): number {
  onTestFinished(() => void http.close());
  return (http.address() as AddressInfo).port;
}

function listening(http: Server): Promise<number> {
  return new Promise((resolve) => http.listen(0, '127.0.0.1', () => resolve(portOf(http))));
}

export function fastifyApp(server: TaskServer): FastifyInstance {
  const { handle } = nodeHandler(server);
  const app = Fastify();
  const answer: RouteHandlerMethod = (request, reply) => {
    reply.hijack();
    return handle(request.raw, reply.raw, request.body);
  };
  app.all('/mcp', answer);
  app.get('/health', answer);
  onTestFinished(() => app.close());
  return app;
}

/** Each serves over another kind of HTTP server, and resolves with its port. */
export const MOUNTED: Readonly<Record<string, (server: TaskServer) => Promise<number>>> = {
  async 'node:http'(server) {
    const { handle } = nodeHandler(server);
    return listening(createServer((request, response) => void handle(request, response)));
  },
  async Express(server) {
    const { handle } = nodeHandler(server);
    const app = express();
    app.all(['/mcp', '/health'], (request, response) => handle(request, response));
    return listening(createServer(app));
  },
  async 'Express, with its JSON parser and a mount path'(server) {
    const { handle } = nodeHandler(server);
    const app = express();
    app.use(express.json());
    app.use('/mcp', (request, response) => handle(request, response, request.body));
    app.get('/health', (request, response) => handle(request, response));
    return listening(createServer(app));
  },
  async Fastify(server) {
    const app = fastifyApp(server);
    await app.listen({ port: 0, host: '127.0.0.1' });
    return portOf(app.server);
  },
  async Hono(server) {
    const handler = createHttpHandler(server, OPTIONS);
    onTestFinished(() => handler.close());
    const app = new Hono();
    app.all('/mcp', (c) => handler.fetch(c.req.raw));
    app.get('/health', (c) => handler.fetch(c.req.raw));
    return new Promise((resolve) => {
      const http = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
        resolve(port),
      );
      onTestFinished(() => void http.close());
    });
  },
};
