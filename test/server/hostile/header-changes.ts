import fc from 'fast-check';

import { tokenOf } from '../tokens.js';
import type { Headers } from './request.js';

type HeaderChange = (headers: Headers) => Headers;

const ODD_HEADERS: Headers = [
  ['Mcp-Protocol-Version', '2026-07-28'],
  ['Mcp-Protocol-Version', ' 2025-11-25 '],
  ['Mcp-Protocol-Version', '2025-11-25, 2026-07-28'],
  ['mcp-protocol-VERSION', '2025-06-18'],
  ['Mcp-Protocol-Version', ''],
  ['Mcp-Method', ''],
  ['Mcp-Method', 'tasks/get'],
  ['Mcp-Method', 'TOOLS/CALL'],
  ['Mcp-Name', ''],
  ['Mcp-Name', '{task}'],
  ['Mcp-Name', '{ext-working} '],
  ['Mcp-Name', '=?base64??='],
  ['Mcp-Name', '=?base64?YWRk?='],
  ['Mcp-Name', '\xe4 \xf6'],
  ['Mcp-Session-Id', '{session}'],
  ['mcp-session-id', '\t{session}  '],
  ['Mcp-Session-Id', '{SESSION}'],
  ['Mcp-Session-Id', '{session},{session}'],
  ['Mcp-Session-Id', '{foreign-session}'],
  ['Mcp-Session-Id', '{ended-session}'],
  ['Mcp-Session-Id', '00000000-0000-4000-8000-000000000000'],
  ['Mcp-Session-Id', '__proto__'],
  ['Mcp-Param-Shelf', '1'],
  ['Mcp-Param-', ''],
  ['Accept', 'application/json;q=0, text/event-stream;q=1'],
  ['Accept', 'APPLICATION/JSON, TEXT/EVENT-STREAM'],
  ['Accept', 'text/event-stream,application/json'],
  ['Accept', 'application/jsonx, text/event-streams'],
  ['Accept', 'application/*, text/*'],
  ['Accept', '*/*'],
  ['Accept', ''],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Type', 'application/json;;charset'],
  ['Content-Type', 'application/json, text/plain'],
  ['Content-Type', 'Application/JSON ; x="y;z"'],
  ['Content-Type', 'application/json-rpc'],
  ['Content-Type', 'application/vnd.api+json'],
  ['Content-Type', 'text/json'],
  ['Content-Type', 'multipart/form-data; boundary=x'],
  ['Content-Type', ''],
  ['Content-Encoding', 'gzip'],
  ['Authorization', `Bearer ${tokenOf('bob')}`],
  ['Authorization', `bearer ${tokenOf('ann')}`],
  ['Authorization', `Bearer  ${tokenOf('ann')} `],
  ['Authorization', `Bearer ${tokenOf('ann', 'other')}`],
  ['Authorization', 'Bearer'],
  ['Authorization', ''],
  ['Origin', 'http://localhost'],
  ['Origin', 'http://localhost:80/'],
  ['Origin', 'http://localhost, http://evil.example'],
  ['Origin', 'null'],
  ['Host', 'LOCALHOST:'],
  ['Host', '[::1]:3000'],
  ['Host', 'localhost.'],
  ['Host', 'localhost#x'],
  ['Last-Event-ID', '7'],
  ['Last-Event-ID', '{session}'],
  ['Expect', '100-continue'],
  ['Expect', 'something-else'],
  ['Connection', 'close'],
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Transfer-Encoding', 'gzip, chunked'],
  ['Access-Control-Request-Method', 'POST'],
  ['Access-Control-Request-Headers', 'x-one, mcp-param-\x01, mcp-param-a'],
  ['X-Http-Method-Override', 'DELETE'],
  ['X-Forwarded-Host', 'evil.example'],
  ['Cookie', 'mcp-session-id={session}'],
  ['Traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
];

export const headerChanges: fc.Arbitrary<HeaderChange> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...ODD_HEADERS)
      .map(([name, value]) => (headers: Headers) => [
        ...without(headers, name),
        [name, value] as const,
      ]),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...ODD_HEADERS).map((odd) => (all: Headers) => [...all, odd]),
  },
  {
    weight: 1,
    arbitrary: fc.nat(9).map((at) => (all: Headers) => [...all, ...all.slice(at, at + 1)]),
  },
  {
    weight: 1,
    arbitrary: fc.nat(9).map((at) => (all: Headers) => all.filter((_, index) => index !== at)),
  },
);

function without(headers: Headers, name: string): Headers {
  return headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase());
}
