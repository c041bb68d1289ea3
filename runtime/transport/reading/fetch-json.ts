import { boundsFor } from './bounds.js';
import { GrowingBytes } from './growing-bytes.js';
import { readJson } from './read-json.js';

export interface FetchJsonOptions extends Omit<RequestInit, 'redirect'> {
  /** Bytes of the answer. */
  readonly most: number;
}

/**
 * The JSON that another server answers with 200. Follows no redirect, because what is sent and what is believed are meant
 * for the address that was configured. Rejects for a longer answer, of which it reads no more.
 */
export async function fetchJson(
  url: string,
  { most, ...init }: FetchJsonOptions,
): Promise<unknown> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const { status } = response;
  if (status !== 200) {
    await response.body?.cancel();
    const isRedirect = status >= 300 && status < 400;
    throw new Error(`HTTP status ${status}${isRedirect ? ': redirects are not followed' : ''}`);
  }
  const read = readJson(await bytesOf(response, most), boundsFor(most));
  if (read.code !== undefined) throw new Error(`the answer ${read.why}`);
  return read.value;
}

/** The bytes of an answer. Rejects for more than `most`. */
export async function bytesOf(response: Response, most: number): Promise<Uint8Array> {
  const body = new GrowingBytes();
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    body.add(chunk);
    if (body.length > most) throw new Error(`more than ${most} bytes`);
  }
  return body.whole();
}
