/** Says everything that is wrong with the settings of a program, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
