import fc from 'fast-check';
import { expect, it } from 'vitest';

import { GrowingBytes } from '../../runtime/transport/reading/growing-bytes.js';
import { sized } from '../support/size.js';

it('bytes that come in parts are kept whole, in at most twice their number', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 40 }), (parts) => {
      const body = new GrowingBytes();
      for (const part of parts) body.add(Buffer.from(part));
      const whole = Buffer.concat(parts);
      expect(body.length).toBe(whole.length);
      expect(Buffer.from(body.whole())).toEqual(whole);
      expect(body.capacity).toBeLessThanOrEqual(2 * whole.length);
    }),
    { numRuns: sized(500) },
  );
});
