import { once } from 'node:events';
import { startApp } from './app.js';
import { ConfigError, readConfig } from './config.js';

try {
  // The second signal ends the process at once, as signals do.
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const app = await startApp(readConfig(process.env));
  // Standard output may be the client's.
  console.error(`Serving at ${app.address}`);
  await Promise.race([stopped, app.gone]);
  await app.close();
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
