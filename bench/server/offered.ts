/** What each measured server offers beside its tasks, so that all do the same work. */

export const DONE = { content: [{ type: 'text' as const, text: 'done' }] };

/** Tools. `plain` answers from memory; `steps` reports its progress; `ask` asks for a name; `touch` changes an item. */
export const TOOL = { plain: 'plain', steps: 'steps', ask: 'ask', touch: 'touch' } as const;

/** The notifications of one call of `steps`, and of one call of `touch`. */
export const TIMES = 10;

export const GREETING = {
  name: 'greeting',
  uri: 'bench://greeting',
  mimeType: 'text/plain',
  text: 'hello',
} as const;

export const PROMPT = { name: 'greet', text: 'Greet the user' } as const;

/** Items that clients follow, one for each connection. An item has as many resources, all of which `touch` changes. */
export const itemUri = (index: number): string => `bench://item/${String(index)}`;
export const ITEMS = 16;

/** The resources of an item. A server may send one notification for several changes of one resource. */
export const resourcesOf = (item: string): string[] =>
  Array.from({ length: TIMES }, (_, part) => `${item}/${String(part)}`);

export const QUESTION = {
  message: 'What is your name?',
  requestedSchema: {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
  },
} as const;

export const ANSWER = { action: 'accept', content: { name: 'Ann' } } as const;

/** What `ask` returns after the answer. */
export const greetingOf = (name: unknown): string => `Good day, ${String(name)}`;
