import { describe, expect, it } from 'vitest';
import type { Examination } from '../../contracts/doctor/index.js';
import { runHere } from '../cli/in-process.js';
import { listen } from './http.js';
import type { Habits } from './http.js';

interface Outcome extends Examination {
  readonly exitCode: number;
}

async function examined(habits: Habits, ...args: string[]): Promise<Outcome> {
  const server = await listen(habits);
  try {
    const { text } = await runHere(['doctor', server.url, '--json', ...args], process.cwd());
    return JSON.parse(text) as Outcome;
  } finally {
    await server.close();
  }
}

const TOKEN = 'a-token-of-the-tests';
const without =
  (name: string): ((url: string) => unknown) =>
  (url) => ({
    ...{ resource: url, authorization_servers: [url] },
    [name]: undefined,
  });

/** One habit each, the code of the finding, and its severity. */
const HABITS: readonly (readonly [string, Habits, string, string])[] = [
  ['takes every Origin', { takesOrigins: true }, 'foreign-origin', 'error'],
  ['takes every Host', { takesHosts: true }, 'foreign-host', 'warning'],
  [
    'counts sessions',
    { idOf: (count) => `session-of-the-server-${String(count)}` },
    'session-id',
    'error',
  ],
  ['gives all sessions one id', { idOf: () => 'the-same-session-id' }, 'session-id', 'error'],
  ['has short ids', { idOf: () => Math.random().toString(36).slice(2, 10) }, 'session-id', 'error'],
  ['takes ids that it did not issue', { takesUnknownIds: true }, 'unknown-session', 'error'],
  ['takes ids that were ended', { keepsEnded: true }, 'ended-session', 'error'],
  ['refuses ended sessions with 400', { endedStatus: 400 }, 'ended-session', 'warning'],
  ['refuses without a challenge', { token: TOKEN, challenge: undefined }, 'no-challenge', 'error'],
  ['has no metadata', { token: TOKEN, metadata: undefined }, 'no-metadata', 'error'],
  [
    'has metadata without a resource',
    { token: TOKEN, metadata: without('resource') },
    'bad-metadata',
    'error',
  ],
  [
    'has metadata of another resource',
    {
      token: TOKEN,
      metadata: () => ({
        resource: 'https://other.example/mcp',
        authorization_servers: ['https://other.example'],
      }),
    },
    'bad-metadata',
    'error',
  ],
  [
    'has metadata without an authorization server',
    { token: TOKEN, metadata: without('authorization_servers') },
    'bad-metadata',
    'error',
  ],
];

describe('the examination of a server over HTTP', () => {
  it('finds nothing in a careful one', async () => {
    const { findings, exitCode, summaries } = await examined({});
    expect(findings.filter(({ section }) => section === 'safe')).toEqual([]);
    expect(exitCode).toBe(0);
    expect(summaries.safe).toBe('anybody who reaches it can list 2 tools');
  });

  it('finds nothing in a careful one that wants a token, and says who is refused', async () => {
    const { findings, exitCode, summaries } = await examined({ token: TOKEN }, '--token', TOKEN);
    expect(findings.filter(({ section }) => section === 'safe')).toEqual([]);
    expect(exitCode).toBe(0);
    expect(summaries.safe).toBe('an unidentified caller is refused');
  });

  it('judges what a stranger gets where it is one itself', async () => {
    const { findings, exitCode, summaries } = await examined({ token: TOKEN });
    expect(exitCode).toBe(2);
    expect(findings.map(({ code, severity }) => ({ code, severity }))).toEqual([
      { code: 'no-session', severity: 'unclear' },
    ]);
    expect(summaries).toEqual({ safe: 'an unidentified caller is refused' });
  });

  it.each(HABITS)('finds a server that %s', async (_, habits, code, severity) => {
    const args = habits.token === undefined ? [] : ['--token', habits.token];
    const { findings, exitCode } = await examined(habits, ...args);
    const safe = findings.filter(({ section }) => section === 'safe');
    expect(safe.map((each) => each.code)).toEqual([code]);
    const [found] = safe;
    expect(found).toMatchObject({ severity });
    expect(found?.evidence).not.toEqual([]);
    expect(JSON.stringify(safe)).not.toContain(TOKEN);
    // A server that gives two sessions one id ends both at once.
    const isBroken = findings.some(
      (each) => each.section === 'protocol' && each.severity === 'error',
    );
    expect(exitCode).toBe(isBroken ? 3 : severity === 'error' ? 4 : 0);
  });
});
