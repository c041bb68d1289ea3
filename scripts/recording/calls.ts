import type { Typed } from './record.js';

const ENTER = '\r';

/** The call of a public server in the README, as it is recorded. */
export function callsIn(readme: string): string[] {
  const [, after = ''] = readme.split("\n## Someone else's server\n");
  const [, text = ''] = /^```sh not-run: asks at a terminal\n([^]*?)^```$/m.exec(after) ?? [];
  return text.trimEnd().split('\n');
}

/** What a user types at the form of server-everything, whose other fields have defaults or may be empty. */
export const TYPED: readonly Typed[] = [
  { after: 'Answer?', keys: ENTER },
  { after: 'String', keys: `Ann${ENTER}` },
  ...[
    ...['Boolean', 'String with default', 'email', 'uri', 'date', 'Integer', 'Number'],
    ...['Untitled Single', 'Untitled Multiple', 'Titled Single', 'Titled Multiple', 'Legacy'],
    'Send them?',
  ].map((after) => ({ after, keys: ENTER })),
];
