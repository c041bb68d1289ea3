import { ConfigError } from '../server/auth/index.js';

/**
 * Adds what a file of settings says to the environment of this process, which comes first. A file that is not there
 * says nothing.
 *
 * @throws {ConfigError} for a file that cannot be read.
 */
export function loadEnvironment(file: string): void {
  try {
    process.loadEnvFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw new ConfigError(`Cannot read ${file}: ${code ?? 'no file'}`);
  }
}
