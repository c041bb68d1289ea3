import fc from 'fast-check';

/**
 * A property that fails is shown while its test still runs: to make a counterexample smaller takes minutes where each case
 * waits for a server, and a test that reaches its own limit says nothing.
 */
fc.configureGlobal({
  interruptAfterTimeLimit: Number(process.env['PROPERTY_MS']),
  markInterruptAsFailure: true,
});
