/**
 * The options under which the template runs as it stands. In a project every condition on them has
 * been decided, and this file is gone.
 */
export const feature: Readonly<
  Record<
    | 'stdio'
    | 'http'
    | 'memory'
    | 'sqlite'
    | 'postgres'
    | 'none'
    | 'bearer'
    | 'jwt'
    | 'authorized'
    | 'forms',
    boolean
  >
> = {
  stdio: false,
  http: true,
  memory: false,
  sqlite: true,
  postgres: false,
  none: false,
  bearer: true,
  jwt: false,
  authorized: true,
  forms: true,
};
