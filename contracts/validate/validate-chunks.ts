import { jsonPointer } from '../../json-schema/pointer.js';
import type { Party } from './direction.js';
import { cut, RULES } from './finding.js';
import type { Finding } from './finding.js';
import { Framer } from './framing.js';
import type { Frame } from './framing.js';
import type { Library } from './library.js';
import type { Checked } from './checked.js';
import { inUtf8, withLineFeeds } from './encoding.js';
import { read } from './read.js';
import type { Read, Unreadable } from './read.js';
import { Sessions } from './sessions.js';
import { saySkipped, Tally } from './tally.js';

/** Bytes of one line, element or document. */
const LARGEST = 32 * 1024 * 1024;

export interface ValidateOptions {
  readonly library: Library;
  /** The revision of all messages, overriding what they contain. */
  readonly revision?: string | undefined;
  /** Ids of active extensions, besides those that messages declare. */
  readonly extensions?: readonly string[];
  /** The sender of messages without a tag. */
  readonly from?: Party | undefined;
  readonly onFinding: (finding: Finding) => void;
  /** Called for each message after its findings. Messages may come later than their lines. */
  readonly onMessage?: ((checked: Checked) => void) | undefined;
  /** Called and awaited after every chunk, with the number of bytes so far. */
  readonly onProgress?: (bytes: number, tally: Tally) => Promise<void> | void;
}

/** The chunks of an input. It calls `onProblem` when the rest cannot be read, and ends. */
export type OpenChunks = (onProblem: (problem: string) => void) => AsyncIterable<Uint8Array>;

/**
 * Checks one input, whose content decides its form: a message, an array of messages, JSON Lines or a
 * transcript. It holds one message at a time. A chunk may be reused after the next one is requested.
 */
export async function validateChunks(
  file: string,
  open: OpenChunks,
  options: ValidateOptions,
): Promise<Tally> {
  const { library, revision, extensions = [], from, onFinding, onMessage, onProgress } = options;
  const tally = new Tally();
  const report = (finding: Finding): void => {
    tally.found(finding);
    onFinding(finding);
  };
  const sessions = new Sessions({
    file,
    library,
    tally,
    report,
    onMessage,
    revision,
    extensions,
    from,
  });
  const framer = new Framer(LARGEST);

  /** Returns a promise only if necessary, because a turn of the event loop costs more than most messages. */
  const take = (unit: Read): Promise<void> | undefined => {
    if ('skipped' in unit) {
      tally.skip(unit.line, unit.skipped);
    } else if ('problem' in unit) {
      tally.counts.unreadable += 1;
      report(findingOf(file, unit));
    } else {
      const session = sessions.of(unit);
      if (!session.isReadyFor(unit)) {
        return session.prepareFor(unit).then(() => session.take(unit));
      }
      session.take(unit);
    }
    return undefined;
  };

  const takeAll = async (frames: Iterable<Frame>): Promise<void> => {
    for (const frame of frames) {
      if (frame.kind === 'batch') {
        sessions.batch(frame.line, frame.length);
        continue;
      }
      for (const unit of read(frame)) {
        const pending = take(unit);
        if (pending) await pending;
      }
    }
  };

  let bytes = 0;
  const inUtf16 = (): void => {
    const { severity } = RULES['utf-16'];
    const message = 'The input is UTF-16. It is read, but MCP transports carry UTF-8.';
    report({ file, line: 1, severity, code: 'utf-16', message });
  };
  const damaged = (problem: string): void => {
    tally.counts.unreadable += 1;
    const message = `The gzip input was not read to its end: ${problem}.`;
    report({ file, line: 1, severity: RULES['bad-gzip'].severity, code: 'bad-gzip', message });
  };
  for await (const chunk of withLineFeeds(inUtf8(open(damaged), inUtf16))) {
    bytes += chunk.length;
    await takeAll(framer.push(chunk));
    await onProgress?.(bytes, tally);
  }
  await takeAll(framer.end());
  sessions.end();
  if (tally.counts.messages + tally.counts.unreadable === 0) {
    const { skipped } = tally.counts;
    const severity = skipped > 0 ? 'error' : RULES['no-messages'].severity;
    const message = `The input contains no message${skipped > 0 ? `: ${saySkipped(tally)}` : ''}.`;
    report({ file, line: 1, severity, code: 'no-messages', message });
  }
  return tally;
}

function findingOf(file: string, { line, path, code, problem }: Unreadable): Finding {
  const what = code === 'not-json' ? 'This is not JSON' : 'This is too large to be checked';
  return {
    file,
    line,
    severity: RULES[code].severity,
    code,
    message: `${what}: ${cut(problem)}.`,
    ...(path.length > 0 && { pointer: jsonPointer(path) }),
  };
}
