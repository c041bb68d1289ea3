import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose';
import { onTestFinished } from 'vitest';

/** A key of an authorization server, with which it signs tokens. */
export interface KeyPair {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

export async function newKey(kid: string, alg = 'ES256'): Promise<KeyPair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg } };
}

/** What a server of keys does with a request. */
export type KeyAnswer = (response: ServerResponse) => void;
export const serves =
  (...keys: readonly KeyPair[]): KeyAnswer =>
  (response) =>
    void response.end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));

export async function keyServer(first: KeyAnswer) {
  let answer = first;
  let requests = 0;
  const http = createServer((_, response) => {
    requests += 1;
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const close = (): void => {
    http.closeAllConnections();
    http.close();
  };
  onTestFinished(close);
  const { port } = http.address() as AddressInfo;
  return {
    jwks: `http://127.0.0.1:${port}/jwks`,
    requests: () => requests,
    answer: (next: KeyAnswer) => (answer = next),
    close,
  };
}
