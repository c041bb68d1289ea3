import { describe, expect, it } from 'vitest';

import { META_KEYS } from '../../../runtime/protocol.js';
import { type LogLevel } from '../../../runtime/server/controls.js';
import { definePrompt } from '../../../runtime/server/prompt.js';
import { CORE, EXT, SESSIONS, settled, wireOf } from './wire.js';

const LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

const noisy = definePrompt({
  name: 'noisy',
  get({ request }) {
    for (const level of LEVELS) request.log(level, { at: level }, 'test');
    request.log('emergency', { big: 1n });
    return 'Done';
  },
});

const wrong = definePrompt({
  name: 'wrong',
  get({ request }) {
    request.log('loud' as 'info', '');
    return 'Done';
  },
});

const options = { prompts: [noisy, wrong], logging: true };
const get = { name: 'noisy' };

describe.each(SESSIONS)('a session of %s', (version) => {
  it('gets messages from info on, until its client sets a level', async () => {
    const { capabilities, request, notifications } = await wireOf(version, options);
    expect(capabilities['logging']).toEqual({});
    const logged = async (): Promise<unknown[]> => {
      notifications.length = 0;
      await request('prompts/get', get);
      await settled();
      return notifications.map(({ params }) => params['level']);
    };
    expect(await logged()).toEqual(LEVELS.slice(1));
    expect(notifications[0]).toEqual({
      method: 'notifications/message',
      params: { level: 'info', data: { at: 'info' }, logger: 'test' },
    });
    for (const [index, level] of LEVELS.entries()) {
      await request('logging/setLevel', { level });
      expect(await logged()).toEqual(LEVELS.slice(index));
    }
  });

  it('refuses an unknown level', async () => {
    const { request } = await wireOf(version, options);
    const params = { level: 'loud' };
    await expect(request('logging/setLevel', params)).rejects.toMatchObject({
      message: expect.stringContaining('/params/level') as string,
    });
  });
});

describe(`a request of ${EXT}`, () => {
  it('gets messages of the level that it names, on its own channel', async () => {
    const { open } = await wireOf(EXT, options);
    const logged = async (level?: string): Promise<unknown[]> => {
      const _meta = level === undefined ? {} : { [META_KEYS.logLevel]: level };
      const { line, result } = open('prompts/get', { ...get, _meta });
      await result;
      return line.sent.flatMap(({ params }) => (params as { level?: string })?.level ?? []);
    };
    expect(await logged()).toEqual([]);
    for (const [index, level] of LEVELS.entries()) {
      expect(await logged(level)).toEqual(LEVELS.slice(index));
    }
  });

  it('has no logging/setLevel', async () => {
    const { request } = await wireOf(EXT, options);
    await expect(request('ping')).rejects.toThrow();
  });
});

it('a server that does not declare logging cannot log', async () => {
  const { capabilities, request } = await wireOf(CORE, { prompts: [noisy] });
  expect(capabilities).not.toHaveProperty('logging');
  await expect(request('logging/setLevel', { level: 'info' })).rejects.toMatchObject({
    code: -32601,
  });
  await expect(request('prompts/get', get)).rejects.toMatchObject({ code: -32603 });
});

it('an unknown level is an error of the handler', async () => {
  const problems: string[] = [];
  const onError = (error: Error): void => void problems.push(error.message);
  const { request } = await wireOf(CORE, { ...options, onError });
  await expect(request('prompts/get', { name: 'wrong' })).rejects.toMatchObject({
    message: 'Internal error',
  });
  expect(problems.join()).toContain('Unknown level "loud": choose from debug, info');
});
