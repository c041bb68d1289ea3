import { constants } from 'node:os';
import { startApp } from './app.js';
import { ConfigError, readConfig } from './config.js';

/** Milliseconds beyond `drainMs` after which the process ends, even if something is still open. */
const CLOSING_MS = 2_500;

/** Resolves at the first signal to stop. A second one, of either kind, ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (stopping) process.exit(128 + constants.signals[signal]);
        stopping = true;
        resolve();
      });
    }
  });
}

try {
  const config = readConfig(process.env);
  const stopped = stopSignal();
  const app = await startApp(config);
  // Standard output may be the client's.
  console.error(`Serving at ${app.address}`);
  await Promise.race([stopped, app.gone]);
  console.error(`Stopping: tasks get ${config.drainMs} ms to finish`);
  setTimeout(() => {
    console.error(`Not closed ${CLOSING_MS} ms after the drain: ending the process`);
    process.exit(1);
  }, config.drainMs + CLOSING_MS);
  await app.close();
  // A handler that ignores its signal may still hold timers and sockets.
  process.exit();
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
