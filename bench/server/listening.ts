import { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';

/**
 * Required ahead of a server's own code. Sends the cost of the start when the server listens, and its memory
 * on request.
 */

/** Milliseconds since the epoch, milliseconds of processor time, and the port. */
export interface Listening {
  readonly at: number;
  readonly cpu: number;
  readonly port: number;
}

/** Bytes of memory that the process has. */
export interface Memory {
  readonly rss: number;
}

// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its `this` below
const { listen } = Server.prototype;

Server.prototype.listen = function (this: Server, ...args: unknown[]) {
  // FastMCP listens at another socket first, to find a free port.
  if (!(this instanceof HttpServer)) return listen.apply(this, args as Parameters<typeof listen>);
  this.once('listening', () => {
    const { user, system } = process.cpuUsage();
    const address = this.address();
    send({
      at: performance.timeOrigin + performance.now(),
      cpu: (user + system) / 1_000,
      port: address !== null && typeof address === 'object' ? address.port : NaN,
    });
  });
  return listen.apply(this, args as Parameters<typeof listen>);
} as typeof listen;

process.on('message', () => {
  send({ rss: process.memoryUsage.rss() });
});
process.once('disconnect', () => process.exit());

function send(message: Listening | Memory): void {
  process.send?.(message);
}
