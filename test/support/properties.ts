import fc from 'fast-check';

const seed = process.env['PROPERTY_SEED'];
if (seed !== undefined && !/^-?\d+$/.test(seed))
  throw new Error('PROPERTY_SEED must be an integer');

/**
 * Each run draws the same cases, so that a test that fails says something about the last change. `PROPERTY_SEED` draws others.
 *
 * A property that fails is shown while its test still runs: to make a counterexample smaller takes minutes where each case
 * waits for a server, and a test that reaches its own limit says nothing.
 */
fc.configureGlobal({
  seed: Number(seed ?? 1),
  interruptAfterTimeLimit: Number(process.env['PROPERTY_MS']),
  markInterruptAsFailure: true,
});
