import { bodyOf, messages } from './data.js';
import type { Message } from './data.js';

/** The names of filters, in links too: `#method=tools/call&search=echo`. */
export const FILTERS = ['search', 'method', 'finding', 'side', 'task', 'file', 'session'] as const;

/** What the shown messages have to be; empty or absent where anything will do. */
export type Filters = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

type Test = (message: Message) => boolean;

const TESTS: Readonly<Record<(typeof FILTERS)[number], (wanted: string) => Test>> = {
  method:
    (wanted) =>
    ({ method }) =>
      method === wanted,
  finding:
    (wanted) =>
    ({ findings }) =>
      findings.some(({ severity, code }) => ['any', severity, code].includes(wanted)),
  side:
    (wanted) =>
    ({ from }) =>
      from?.startsWith(wanted) ?? false,
  task:
    (wanted) =>
    ({ task }) =>
      task === Number(wanted),
  file:
    (wanted) =>
    ({ file }) =>
      file === Number(wanted),
  session:
    (wanted) =>
    ({ session }) =>
      session === Number(wanted),
  // The last one, because it reads the messages.
  search: (wanted) => {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    return (message) => {
      const text = textOf(message).toLowerCase();
      return words.every((word) => text.includes(word));
    };
  },
};

function textOf(message: Message): string {
  const { method, id, label, findings } = message;
  const found = findings.map(({ code, text }) => `${code} ${text}`);
  return [method, id, label, bodyOf(message), ...found].join('\n');
}

export function messagesFor(filters: Filters): readonly Message[] {
  const tests = (Object.keys(TESTS) as (keyof Filters)[]).flatMap((name) => {
    const wanted = filters[name]?.trim();
    return wanted ? [TESTS[name](wanted)] : [];
  });
  return tests.length === 0
    ? messages
    : messages.filter((message) => tests.every((test) => test(message)));
}

/** The filters and the message's number in a link; undefined for a link to a section. */
export function readHash(hash: string): (Filters & { readonly message?: string }) | undefined {
  if (!hash.includes('=')) return undefined;
  return Object.fromEntries(
    hash
      .slice(1)
      .split('&')
      .map((part) => {
        const [name = '', value = ''] = part.split('=');
        try {
          return [name, decodeURIComponent(value)];
        } catch {
          return [name, ''];
        }
      }),
  );
}

export function writeHash(filters: Filters, message: Message | undefined): string {
  const parts = FILTERS.flatMap((name) => {
    const value = filters[name];
    return value ? [`${name}=${encodeURIComponent(value)}`] : [];
  });
  if (message) parts.unshift(`message=${String(message.number)}`);
  return `#${parts.join('&')}`;
}
