import { describe, expect, it } from 'vitest';
import { EXAMPLES } from './examples.js';
import { randomFrom } from '../read/variants.js';
import { sized } from '../support/size.js';
import { LOCK, TOOL } from './locks.js';
import { verdictsOnLocks } from './trial.js';

const tools = [
  TOOL,
  ...EXAMPLES.map((inputSchema, at) => ({ name: `example${String(at)}`, inputSchema })),
];

describe('mutants of a lock', () => {
  it('get the verdict that is known by construction', () => {
    const { wrong } = verdictsOnLocks([{ ...LOCK, tools }], sized(150), randomFrom(2));
    expect(wrong).toEqual([]);
  });
});
