import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The way from one node to PostgreSQL. */
export interface Network {
  readonly port: number;
  /** Forwards nothing, and closes nothing: neither side can tell. What was sent meanwhile arrives after `heal`. */
  blackhole(): void;
  heal(): void;
  /** Resets every connection. */
  reset(): void;
  close(): void;
}

/** A TCP proxy on a port of its own. */
export async function networkTo(target: { host: string; port: number }): Promise<Network> {
  const sockets = new Set<Socket>();
  let isBlack = false;
  let waiting: (() => void)[] = [];

  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.setNoDelay(true);
    from.on('data', (bytes) => to.write(bytes));
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (isBlack) from.pause();
  }

  function forward(inner: Socket): void {
    const outer = connect(target.port, target.host);
    join(inner, outer);
    join(outer, inner);
    inner.resume();
  }

  const server = createServer({ pauseOnConnect: true }, (inner) => {
    inner.on('error', () => undefined);
    if (isBlack) waiting.push(() => forward(inner));
    else forward(inner);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    blackhole() {
      isBlack = true;
      sockets.forEach((socket) => socket.pause());
    },
    heal() {
      isBlack = false;
      sockets.forEach((socket) => socket.resume());
      waiting.forEach((start) => start());
      waiting = [];
    },
    reset: () => sockets.forEach((socket) => socket.resetAndDestroy()),
    close() {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    },
  };
}
