import type { Line, Play } from './play.js';
import { DONE, LATE, type Way } from './way.js';

/** What only a process can do. */

const ENDS: readonly (number | NodeJS.Signals)[] = [0, 1, 127, 'SIGKILL', 'SIGSEGV', 'SIGTERM'];

const exits =
  (how: number | NodeJS.Signals, before = ''): Play =>
  (line: Line) => {
    if (before !== '') line.write(before);
    line.pipe?.exit(how);
  };

const named = (how: number | NodeJS.Signals): RegExp =>
  new RegExp(`exit|ended|clos|\\b${String(how)}\\b`, 'i');

const PROCESS = { over: ['stdio'] } as const;
const half = ({ answer }: { answer: object }): string => JSON.stringify(answer).slice(0, 30);

export const PIPE_WAYS: readonly Way[] = [
  ...ENDS.flatMap((how): Way[] => [
    {
      id: `ends with ${String(how)} when it starts`,
      ...PROCESS,
      script: () => ({ start: exits(how) }),
      says: named(how),
    },
    {
      id: `ends with ${String(how)} in place of an answer`,
      ...PROCESS,
      wrong: exits(how),
      says: named(how),
    },
    {
      id: `ends with ${String(how)} in the middle of its answer`,
      ...PROCESS,
      wrong: (line, exchange) => exits(how, half(exchange))(line, exchange),
      says: named(how),
    },
  ]),
  {
    id: 'writes why it ends on standard error',
    ...PROCESS,
    script: () => ({
      start({ pipe }) {
        pipe?.error('Set the variable API_KEY\n');
        pipe?.exit(1);
      },
    }),
    says: named(1),
  },
  {
    id: 'ends its output, and lives on',
    ...PROCESS,
    wrong: (line) => line.end(),
    says: /ended|clos|output/i,
  },
  {
    id: 'ends in its answer, which has no line end',
    ...PROCESS,
    wrong(line, { answer }) {
      line.write(JSON.stringify(answer));
      line.pipe?.exit(0);
    },
    says: named(0),
    orTakes: true,
  },
  {
    id: 'writes its answer without a line end',
    ...PROCESS,
    at: ['tools/call'],
    wrong: (line, { answer }) => line.write(JSON.stringify(answer)),
    says: new RegExp(`line|${LATE.source}`, 'i'),
  },
  {
    id: 'writes its answer over several lines',
    ...PROCESS,
    wrong: (line, { answer }) => line.say(JSON.stringify(answer, null, 2)),
    says: /several lines|json|parse|one line/i,
  },
  {
    id: 'writes a log message and its answer in one line',
    ...PROCESS,
    wrong: (line, { answer }) => line.say(`Ready ${JSON.stringify(answer)}`),
    says: /json|no message|parse/i,
  },
  {
    id: 'ends its lines with CR and LF',
    ...PROCESS,
    wrong: (line, { answer }) => line.say(`${JSON.stringify(answer)}\r`),
    says: 'result',
  },
  {
    id: 'ends its lines with CR',
    ...PROCESS,
    wrong: (line, { answer }) => line.write(`${JSON.stringify(answer)}\r`),
    says: new RegExp(`line|${LATE.source}`, 'i'),
  },
  {
    id: 'writes its banner when it starts',
    ...PROCESS,
    script: () => ({
      start: (line) => line.say('Server 1.0', '\u001b[32mready\u001b[0m', '', '{"level":"info"}'),
    }),
    says: 'result',
  },
  {
    id: 'writes 4 MB on standard error',
    ...PROCESS,
    at: ['tools/call'],
    wrong(line, { answer }) {
      for (let each = 0; each < 64; each += 1) line.pipe?.error('x'.repeat(65_536));
      line.say(answer);
    },
    says: 'result',
  },
  {
    id: 'writes a line without end',
    ...PROCESS,
    at: ['tools/call'],
    wrong(line, { answer }) {
      const more = 'x'.repeat(1_048_576);
      line.write(JSON.stringify({ ...answer, result: DONE }).slice(0, -2));
      for (let each = 0; each < 12; each += 1) line.write(more);
    },
    says: /bytes|exceeded|too (long|large|big)/i,
  },
  {
    id: 'sends back what it reads',
    ...PROCESS,
    wrong: (line, { request }) => line.say(request),
    says: /request|sent back|echo/i,
  },
];
