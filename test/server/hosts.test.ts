import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';

import { pairOf, statusAndBody, type Step } from './hostile/pair.js';
import type { HostileRequest } from './hostile/request.js';
import { hostileMessages } from './hostile/requests.js';
import { targetAt } from './hostile/target.js';
import { MOUNTED } from './mounts.js';
import { rig } from './support.js';
import { hold } from './tools.js';
import { sized } from '../support/size.js';

const { 'node:http': plain = () => Promise.reject(new Error('It is gone')), ...others } = MOUNTED;

const numRuns = sized(20);

/** Whether parsers of frameworks pass a body on: they refuse some with answers of their own. */
function isParsed({ body }: HostileRequest): boolean {
  // A deep value under a key that comes again is gone when the framework has parsed the body.
  if (/__proto__|constructor|\{"a":\{"a":/.test(body)) return false;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body, 'latin1'));
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

it.each(Object.entries(others))(
  'hostile bodies get the same answers in %s as over node:http',
  async (kind, mount) => {
    const targets = [];
    for (const start of [plain, mount]) {
      const { server } = await rig();
      onTestFinished(() => hold('forever').release());
      targets.push(await targetAt(`http://127.0.0.1:${await start(server)}/mcp`));
    }
    const [first, second] = targets;
    if (first === undefined || second === undefined) return expect.fail();
    const pair = pairOf([first, second], statusAndBody);
    const hasParser = /parser|Fastify/.test(kind);
    const asks = (hasParser ? hostileMessages.filter(isParsed) : hostileMessages).map(
      (request): Step => ({ kind: 'ask', slot: 0, requests: [request], cuts: [], end: false }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(asks, { minLength: 5, maxLength: 5 }), (steps) => pair.run(steps)),
      { numRuns },
    );
  },
);
