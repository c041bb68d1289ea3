import { many } from '../../generator/diagnostics/index.js';
import { recordingWatcher } from '../../contracts/recording/proxy/index.js';
import { serverNames } from '../calling.js';
import { defineCommand } from '../command.js';
import { EXIT, UsageError } from '../exit.js';
import { PROXIED, proxiedLocation, proxy, PROXY_OPTIONS, recordingOf } from '../proxying.js';

const text = { type: 'string', requiresArg: true } as const;

export const recordCommand = defineCommand({
  examples: [
    ['record --out session.jsonl -- node server.js', 'what a host starts in place of the server'],
    ['record --out session.jsonl https://example.com/mcp', 'an address on this computer'],
    ['record --out session.jsonl github', 'a saved server, or one of mcp.json'],
    ['validate session.jsonl', 'check what was recorded'],
  ],
  ...PROXIED,
  valuesIn: { server: serverNames },
  options: {
    out: { ...text, describe: 'The new file for all messages (required)' },
    ...PROXY_OPTIONS,
  },
  run: async (args, io) => {
    const { out } = args;
    if (out === undefined) {
      throw new UsageError('No file is given for the recording.', 'Add --out session.jsonl.');
    }
    const location = await proxiedLocation(args, io);
    const say = (line: string): void => io.err.write(`${line}\n`);
    const recording = recordingOf(out, args, io);
    const code = await proxy(location, args, recordingWatcher(recording, say), io).finally(() =>
      recording.close(),
    );
    if (recording.count > 0) say(`Recorded ${many(recording.count, 'message')} in ${out}.`);
    const exitCode = code === EXIT.done && recording.hasFailed ? EXIT.internal : code;
    return { exitCode, text: () => '', data: {} };
  },
});
