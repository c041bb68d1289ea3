import { withFileLock } from '../../runtime/client/node/file-lock.js';

/** Holds the lock of a file until it is killed. */
await withFileLock(process.argv[2] ?? '', () => {
  process.stdout.write('held');
  return new Promise<never>(() => setInterval(() => undefined, 1_000));
});
