import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileText, many } from '../../generator/diagnostics/index.js';
import { createGuard, guardFindingAsText } from '../../contracts/recording/guard/index.js';
import type { Guard, GuardFinding } from '../../contracts/recording/guard/index.js';
import { parseLock } from '../../contracts/lock/index.js';
import type { Lock } from '../../contracts/lock/index.js';
import { maskText } from '../../contracts/validate/secrets/index.js';
import { serverNames } from '../calling.js';
import { defineCommand } from '../command.js';
import { EXIT } from '../exit.js';
import { assertReadable } from '../input.js';
import type { Io } from '../io.js';
import { PROTOCOLS } from '../../contracts/protocols/protocols.js';
import { PROXIED, proxiedLocation, proxy, PROXY_OPTIONS, recordingOf } from '../proxying.js';

const text = { type: 'string', requiresArg: true } as const;

export const guardCommand = defineCommand({
  examples: [
    ['guard -- node server.js', 'report what is invalid, on standard error'],
    ['guard --lock mcp.lock.json --enforce -- node server.js', 'refuse it'],
    ['guard --out session.jsonl https://example.com/mcp', 'also record the messages'],
  ],
  ...PROXIED,
  valuesIn: { server: serverNames },
  options: {
    lock: { ...text, describe: 'A lock file: what the server promises' },
    enforce: { type: 'boolean', describe: 'Refuse invalid messages' },
    format: {
      choices: ['text', 'json'] as const,
      requiresArg: true,
      describe: 'The form of findings on standard error, a line each (default: text)',
    },
    out: { ...text, describe: 'Also a new file for all messages' },
    ...PROXY_OPTIONS,
  },
  run: async (args, io) => {
    const location = await proxiedLocation(args, io);
    const lock = args.lock === undefined ? undefined : await lockAt(args.lock, io);
    const recording = args.out === undefined ? undefined : recordingOf(args.out, args, io);
    const isJson = args.format === 'json';
    const guard = createGuard({
      protocols: PROTOCOLS,
      lock,
      enforce: args.enforce,
      recording,
      onFinding: (finding, isRefused) => io.err.write(lineOf(finding, isRefused, isJson, io)),
    });
    const code = await proxy(location, args, guard, io).finally(() => recording?.close());
    io.err.write(isJson ? `${JSON.stringify({ summary: guard.counts })}\n` : summaryOf(guard));
    return { exitCode: exitCodeOf(code, guard, recording?.hasFailed), text: () => '', data: {} };
  },
});

/** The server's own code, unless it is 0 and something is wrong. */
function exitCodeOf(code: number, { counts }: Guard, hasFailed = false): number {
  if (code !== EXIT.done) return code;
  if (counts.errors > 0) return EXIT.invalid;
  return hasFailed ? EXIT.internal : EXIT.done;
}

/** @throws {DiagnosticError} */
async function lockAt(path: string, { cwd }: Io): Promise<Lock> {
  assertReadable([path], cwd);
  return parseLock(fileText(await readFile(resolve(cwd, path)), path), path);
}

function lineOf(finding: GuardFinding, isRefused: boolean, isJson: boolean, io: Io): string {
  const { expected, received } = finding;
  const shown: GuardFinding = {
    ...finding,
    message: maskText(finding.message) + (isRefused && expected === undefined ? ' Refused.' : ''),
    ...(expected !== undefined && { expected }),
    ...(received !== undefined && {
      received: maskText(received) + (isRefused ? '; refused' : ''),
    }),
  };
  if (!isJson) return guardFindingAsText(shown, io.err.paint);
  const { file, line, ...others } = finding;
  const fields = { time: new Date().toISOString(), session: file, number: line, ...others };
  return `${JSON.stringify({ ...fields, message: maskText(finding.message), refused: isRefused })}\n`;
}

function summaryOf({ counts }: Guard): string {
  const { messages, errors, warnings, refused } = counts;
  const parts = [many(messages, 'message'), many(errors, 'error'), many(warnings, 'warning')];
  return `guard: ${parts.join(', ')}, ${String(refused)} refused.\n`;
}
