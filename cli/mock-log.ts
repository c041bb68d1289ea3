import { many } from '../generator/diagnostics/index.js';
import { printable, quote } from '../json-schema/text.js';
import type { MockRequest, Summary } from '../contracts/mock/index.js';
import type { Io } from './io.js';

/** What a mock reports on standard error: its standard output belongs to the protocol. */
export interface MockLog {
  readonly summary: (summary: Summary) => void;
  readonly serving: (text: string, url: string | undefined) => void;
  readonly request: (request: MockRequest) => void;
  readonly problem: (error: unknown) => void;
}

export function mockLog(io: Io, form: 'text' | 'json' | 'none', source: string): MockLog {
  if (form === 'none') return NOTHING;
  return form === 'json' ? jsonLog(io) : textLog(io, source);
}

const nothing = (): void => undefined;
const NOTHING: MockLog = { summary: nothing, serving: nothing, request: nothing, problem: nothing };

function jsonLog({ err }: Io): MockLog {
  const write = (event: string, data: object): void =>
    err.write(`${JSON.stringify({ event, ...data })}\n`);
  return {
    summary: (summary) => write('loaded', summary),
    serving: (_text, url) => write('serving', { ...(url !== undefined && { url }) }),
    request: (request) => write('request', request),
    problem: (error) => write('problem', { message: messageOf(error) }),
  };
}

function textLog({ err }: Io, source: string): MockLog {
  const line = (text: string): void => err.write(`${printable(text)}\n`);
  const spoken = new Set<string>();
  let recorded: readonly string[] = [];
  return {
    summary(summary) {
      recorded = summary.revisions;
      line(`${source}: ${summaryText(summary)}`);
      const { damages, damaged } = summary;
      for (const each of damages) line(`Line ${each.line} is no message: ${each.problem}.`);
      if (damaged > damages.length)
        line(`${many(damaged - damages.length, 'more text')} without a message.`);
    },
    serving: (text) => line(text),
    request({ revision, answeredBy, problem }) {
      if (!spoken.has(revision) && !recorded.includes(revision)) {
        line(`A client speaks ${revision}, which was not recorded: answers are translated.`);
      }
      spoken.add(revision);
      if (answeredBy === 'nothing') line(`No match: ${problem ?? ''}`);
    },
    problem: (error) => line(messageOf(error)),
  };
}

function summaryText({ server, revisions, answered, unanswered, tools }: Summary): string {
  const parts = [
    `server ${quote(server)}`,
    ...(revisions.length > 0 ? [`revision ${revisions.join(', ')}`] : []),
    ...(answered > 0 ? [`${many(answered, 'request')} with answers`] : []),
    ...(unanswered > 0 ? [`${unanswered} without`] : []),
    ...(tools === undefined ? [] : [`a lock with ${many(tools, 'tool')}`]),
  ];
  return `${parts.join(', ')}.`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
