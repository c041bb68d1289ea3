import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A registry of npm packages on this machine. */
export interface Registry {
  /** Settings of npm, as variables of its environment, with which it uses this registry. */
  readonly env: Readonly<Record<string, string>>;
  /** `name@version` of each package that was published here, in this order. */
  readonly published: readonly string[];
  /** `name@version` of each of these that was downloaded. */
  readonly downloaded: ReadonlySet<string>;
  close(): Promise<void>;
}

/** What `npm publish` sends, and what this registry answers: the parts that it reads. */
interface Document {
  readonly name: string;
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, { readonly dist: { tarball: string } }>>;
  readonly _attachments?: Readonly<Record<string, { readonly data: string }>>;
}

/**
 * Starts a registry that keeps what `npm publish` sends, and redirects requests for all other packages to `upstream`, whose
 * address ends in a slash. Only npm's requests for packages are served. Each package has at most one version, whose tarball npm
 * checks against the hash that was published.
 */
export async function startRegistry(upstream: string): Promise<Registry> {
  const documents = new Map<string, Document>();
  const tarballs = new Map<string, { readonly id: string; readonly bytes: Buffer }>();
  const published: string[] = [];
  const downloaded = new Set<string>();

  const keep = (document: Document, base: string): void => {
    const { _attachments: attachments = {}, ...rest } = document;
    const [attached] = Object.values(attachments);
    const [version, manifest] = Object.entries(rest.versions)[0] ?? [];
    if (!attached || version === undefined || !manifest) throw new Error('Nothing was published');
    const id = `${rest.name}@${version}`;
    const path = `/tarballs/${tarballs.size}.tgz`;
    tarballs.set(path, { id, bytes: Buffer.from(attached.data, 'base64') });
    manifest.dist.tarball = `${base}${path}`;
    documents.set(rest.name, rest);
    published.push(id);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/';
    // The slash of a scoped name is encoded.
    const name = decodeURIComponent(path.slice(1));
    const tarball = tarballs.get(path);
    const document = documents.get(name);
    if (request.method === 'PUT') {
      keep(JSON.parse(await textOf(request)) as Document, `http://${request.headers.host ?? ''}`);
      response.writeHead(201).end('{}');
    } else if (tarball) {
      downloaded.add(tarball.id);
      response.writeHead(200).end(tarball.bytes);
    } else if (document) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    } else {
      response.writeHead(302, { location: new URL(path.slice(1), upstream).href }).end();
    }
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `//127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    env: { npm_config_registry: `http:${host}`, [`npm_config_${host}:_authToken`]: 'of-a-test' },
    published,
    downloaded,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
