import { describe, expect, it } from 'vitest';
import { UsageError } from '../../cli/exit.js';
import { locationOf } from '../../cli/server-location.js';

describe('a server on the command line', () => {
  it.each([
    'http://me:secret@127.0.0.1:3000/mcp',
    'https://secret@example.com/mcp',
    'ftp://me:secret@example.com',
    'http://:secret@127.0.0.1:x/',
  ])('is refused with a password in its URL, which is not quoted: case %#', (url) => {
    const locate = (): unknown => locationOf({ server: [url] }, { cwd: '/', env: {} });
    expect(locate).toThrow(UsageError);
    expect(locate).not.toThrow(/secret/);
    expect(locate).toThrow('The URL contains a user name or a password.');
  });
});
