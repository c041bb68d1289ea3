import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { createCursorCodec, isTaskId, newTaskId } from '../../runtime/tasks/ids.js';
import { STORE_KINDS } from '../support/stores.js';
import { ANN, ANN_EXT, BEN, manualClock, refusal, rig, type Rig } from './support.js';

async function allPages(
  list: (cursor?: string) => Promise<{ tasks: readonly { id: string }[]; nextCursor?: string }>,
): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | undefined; ;) {
    const { tasks, nextCursor } = await list(cursor);
    pages.push(tasks.map(({ id }) => id));
    if (nextCursor === undefined) return pages;
    cursor = nextCursor;
  }
}

describe.each(STORE_KINDS)('listing on $name', ({ place }) => {
  /** Eight tasks of ann among those of others, newest first, in pages of three. */
  async function listed(): Promise<{ tasks: Rig; mine: string[]; pages: string[][] }> {
    const where = place();
    const store = await where.open();
    const clock = manualClock();
    const tasks = await rig({ quick: () => ({}) }, { store, clock, limits: { pageSize: 3 } });
    onTestFinished(async () => {
      await tasks.engine.close(0);
      await store.close();
      await where.remove();
    });
    const mine: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      mine.unshift((await tasks.start('quick')).id);
      await tasks.start('quick', {}, BEN);
      await clock.advance(1);
    }
    await tasks.start('quick', {}, ANN_EXT);
    return { tasks, mine, pages: await allPages((cursor) => tasks.engine.list(ANN, cursor)) };
  }

  it('CORE-LST-1 pages through all tasks, newest first', async () => {
    const { mine, pages } = await listed();
    expect(pages.map((page) => page.length)).toEqual([3, 3, 2]);
    expect(pages.flat()).toEqual(mine);
  });

  it('CORE-LST-2 lists what get finds', async () => {
    const { tasks, mine, pages } = await listed();
    for (const id of mine) expect((await tasks.engine.get(ANN, id)).id).toBe(id);
    expect(pages.flat()).toEqual(mine);
  });

  it('SEC-1 lists no task of another owner, or of another dialect', async () => {
    const { mine, pages } = await listed();
    expect(pages.flat().filter((id) => !mine.includes(id))).toEqual([]);
  });

  it('a page at the end of the list carries no cursor', async () => {
    const where = place();
    const store = await where.open();
    const tasks = await rig({ quick: () => ({}) }, { store, limits: { pageSize: 2 } });
    expect(await tasks.engine.list(ANN)).toEqual({ tasks: [] });
    await Promise.all([tasks.start('quick'), tasks.start('quick')]);
    expect(await tasks.engine.list(ANN)).not.toHaveProperty('nextCursor');
    await tasks.engine.close(0);
    await store.close();
    await where.remove();
  });
});

describe('a cursor', () => {
  it("CORE-LST-1 is refused with -32602 when it is altered, invented or another owner's", async () => {
    const tasks = await rig({ quick: () => ({}) }, { limits: { pageSize: 1 } });
    await Promise.all([tasks.start('quick'), tasks.start('quick')]);
    const { nextCursor = '' } = await tasks.engine.list(ANN);
    expect((await tasks.engine.list(ANN, nextCursor)).tasks).toHaveLength(1);
    const flipped = nextCursor.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    const bad = [
      '',
      '.',
      'x',
      flipped,
      `${nextCursor}.`,
      `${nextCursor}A`,
      nextCursor.slice(0, -2),
    ];
    for (const cursor of [...bad, null, 7, {}, ['x']]) {
      const refused = await refusal(tasks.engine.list(ANN, cursor));
      expect(refused).toMatchObject({ code: -32602, reason: 'invalid_cursor' });
    }
    for (const other of [BEN, ANN_EXT]) {
      expect((await refusal(tasks.engine.list(other, nextCursor))).reason).toBe('invalid_cursor');
    }
  });

  it('survives a restart with the same store, and dies with the store', () => {
    const [secret, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const cursor = createCursorCodec(secret).encode(ANN, 'some-id');
    expect(createCursorCodec(secret).decode(ANN, cursor)).toBe('some-id');
    expect(() => createCursorCodec(other).decode(ANN, cursor)).toThrow('Invalid cursor');
  });

  it('is the last id and 16 bytes of a signature of the caller and the id', () => {
    const secret = Buffer.alloc(32, 1);
    for (const caller of [ANN, ANN_EXT, BEN]) {
      const signed = JSON.stringify([caller.owner, caller.dialect, 'some-id']);
      const signature = createHmac('sha256', secret).update(signed).digest().subarray(0, 16);
      expect(createCursorCodec(secret).encode(caller, 'some-id')).toBe(
        `some-id.${signature.toString('base64url')}`,
      );
    }
  });

  it('CORE-LST-1 is refused when it spells the same bytes in another way', () => {
    const codec = createCursorCodec(Buffer.alloc(32, 1));
    // Decoders of base64 skip what is not in the alphabet, and take both alphabets.
    const skipped = fc.constantFrom('=', '==', ' ', '\n', '\t', '!', '\0', 'é', '.', '%3D');
    const cursors = fc.stringMatching(/^[0-9A-Za-z_-]{1,64}$/).map((id) => codec.encode(ANN, id));
    fc.assert(
      fc.property(
        cursors,
        skipped,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (cursor, more, at) => {
          const place = Math.round(at * cursor.length);
          const padded = cursor.slice(0, place) + more + cursor.slice(place);
          expect(() => codec.decode(ANN, padded)).toThrow('Invalid cursor');
          expect(() => codec.decode(ANN, cursor + more)).toThrow('Invalid cursor');
          // The last character of 16 bytes holds two bits that are used and four that are not.
          const spare = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'h');
          expect(() => codec.decode(ANN, spare)).toThrow('Invalid cursor');
          const standard = cursor.replace(/[-_]/g, (sign) => (sign === '-' ? '+' : '/'));
          if (standard !== cursor)
            expect(() => codec.decode(ANN, standard)).toThrow('Invalid cursor');
        },
      ),
    );
  });

  it('cannot be guessed or bent by anyone', () => {
    const codec = createCursorCodec(Buffer.alloc(32, 1));
    fc.assert(
      fc.property(fc.string(), (guess) => {
        expect(() => codec.decode(ANN, guess)).toThrow('Invalid cursor');
      }),
    );
  });
});

describe('an id', () => {
  it('SEC-3 has at least 128 random bits and sorts by creation, even within a millisecond', () => {
    const ids = Array.from({ length: 1_000 }, () => newTaskId(1_700_000_000_000));
    expect(ids.toSorted()).toEqual(ids);
    const random = ids.map((id) => id.slice(14));
    expect(new Set(random).size).toBe(ids.length);
    for (const [index, id] of ids.entries()) {
      expect(isTaskId(id)).toBe(true);
      expect(Buffer.from(random[index] ?? '', 'base64url').length * 8).toBeGreaterThanOrEqual(128);
      expect(newTaskId(1_700_000_000_001) > id).toBe(true);
    }
  });

  it('sorts by creation for a process that creates more than it can count', () => {
    const many = Array.from({ length: 10_000 }, () => newTaskId(1_700_000_000_002));
    expect(new Set(many).size).toBe(many.length);
    expect(new Set(many.map((id) => id.length))).toEqual(new Set([38]));
    expect(many.every((id) => id < newTaskId(1_700_000_000_003))).toBe(true);
  });
});
