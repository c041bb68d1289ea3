/**
 * A port of 127.0.0.1 at which nothing listens. A free port that a test has closed may be given to a process of another test;
 * systems give none below 1024 by themselves, and `fetch` does not refuse this one.
 */
export const SILENT_PORT = 2;
