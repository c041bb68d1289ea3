import { gzipSync } from 'node:zlib';

import { sessionTape } from './session.js';
import type { Mutations } from './change.js';

const TOO_LONG = 'x'.repeat(33 * 1024 * 1024);

const NESTED = 4_100_000;
const TOO_DEEP = '['.repeat(NESTED) + ']'.repeat(NESTED);

export const INPUT = {
  'not-json': [() => `${sessionTape().text()}{"jsonrpc":\n`],
  'utf-16': [() => Buffer.from(`\ufeff${sessionTape().text()}`, 'utf16le')],
  'bad-gzip': [() => gzipSync(sessionTape().text()).subarray(0, -9)],
  'too-large': [
    () => `${sessionTape().text()}{"jsonrpc":"2.0","method":"${TOO_LONG}"}\n`,
    () => `${sessionTape().text()}${TOO_DEEP}\n`,
    () => `${sessionTape().text()}{"jsonrpc":"2.0","method":"x","params":${TOO_DEEP}}\n`,
  ],
  'no-revision': [() => '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'],
  'no-sender': [() => sessionTape().text() + '{"jsonrpc":"2.0","method":"ping","id":"unsure"}\n'],
  'no-messages': [() => ''],
} as const satisfies Mutations;
