import { connect } from 'node:net';

/** What came back on a connection, up to its end. */
export interface RawAnswer {
  /** Undefined if the server closed the connection without an answer. */
  readonly status: number | undefined;
  readonly head: string;
  readonly text: string;
}

/**
 * Sends bytes as they are and waits for the first whole answer, or for the end of the connection. The client
 * then closes it.
 */
export function exchange(url: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const finish = (): void => {
      socket.destroy();
      const [head = ''] = text.split('\r\n\r\n', 1);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      resolve({ status: status === undefined ? undefined : Number(status), head, text });
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const [head = '', body] = text.split('\r\n\r\n');
      const length = /^content-length: (\d+)$/im.exec(head)?.[1];
      if (body !== undefined && length !== undefined && body.length >= Number(length)) finish();
      if (/^transfer-encoding: chunked$/im.test(head) && text.endsWith('\r\n0\r\n\r\n')) finish();
    });
    socket.on('error', finish);
    socket.on('close', finish);
    socket.write(bytes);
  });
}

/** A request as text. Headers may repeat. */
export function request(
  line: string,
  headers: readonly (readonly [string, string])[],
  body: string | Buffer = '',
): Buffer {
  const lines = [line, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([
    Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    Buffer.isBuffer(body) ? body : Buffer.from(body),
  ]);
}
