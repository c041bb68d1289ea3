import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { start } from '../cli/process.js';
import { stubbornCommand } from './stubborn.js';

it.each([
  ['SIGINT', 130, null],
  ['SIGTERM', null, 'SIGTERM'],
  ['SIGHUP', null, 'SIGHUP'],
] as const)('%s ends the processes of a server too', async (signal, code, by) => {
  const stubborn = await stubbornCommand();
  const cli = start(['tools', '--', ...stubborn.words], { cwd: tmpdir() });
  const closed = once(cli, 'close');
  await stubborn.started;
  cli.kill(signal);
  expect(await closed).toEqual([code, by]);
  await stubborn.ended;
});
