export type Party = 'client' | 'server';

const PARTIES: Readonly<Record<string, Party>> = {
  client: 'client',
  c: 'client',
  server: 'server',
  s: 'server',
  // As editors call themselves in their logs.
  editor: 'client',
  host: 'client',
};

const ROUTE = /^(\w+?) *(?:[-=]*>+|→|[-_ ]to[-_ ]|2) *(\w+)$/;
const TO = /^(?:[-=]*>+|→|to)$/;
const FROM = /^(?:<+[-=]*|←|from)$/;
/** The longest tag, in characters. */
const LONGEST = 40;

export function other(party: Party): Party {
  return party === 'client' ? 'server' : 'client';
}

/**
 * The sender that a tag names: a party (`client`, `server`, `c`, `s`), a route (`server->client`,
 * `client-to-server`, `s2c`), an arrow as JSON-RPC's specification draws them (`-->` goes to the server,
 * `<--` comes from it), or an arrow or preposition beside a party (`to client`).
 */
export function senderFromTag(tag: string): Party | undefined {
  // A recording has the same few tags.
  if (KNOWN_TAGS.has(tag)) return KNOWN_TAGS.get(tag);
  const sender = readTag(tag);
  if (KNOWN_TAGS.size < 100 && tag.length <= LONGEST) KNOWN_TAGS.set(tag, sender);
  return sender;
}

const KNOWN_TAGS = new Map<string, Party | undefined>();

function readTag(tag: string): Party | undefined {
  const text = tag.trim().toLowerCase();
  if (text.length > LONGEST) return undefined;
  if (party(text)) return party(text);
  if (TO.test(text)) return text === 'to' ? undefined : 'client';
  if (FROM.test(text)) return text === 'from' ? undefined : 'server';
  const [, from = '', to = ''] = ROUTE.exec(text) ?? [];
  if (party(from) && party(to)) return party(from) === party(to) ? undefined : party(from);
  const [first = '', second = '', third] = text.split(/ +/);
  if (third !== undefined) return undefined;
  if (party(second)) return beside(second, TO.test(first), FROM.test(first));
  return beside(first, FROM.test(second), TO.test(second));
}

/** The sender of the message after a prefix, whose end is a tag. */
export function senderFromPrefix(prefix: string): Party | undefined {
  const words = prefix
    .slice(-2 * LONGEST)
    .replace(/[:\s]+$/, '')
    .split(/[\s[\]()|:]+/)
    .filter((word) => word !== '');
  for (const count of [3, 2, 1]) {
    const sender = words.length >= count && senderFromTag(words.slice(-count).join(' '));
    if (sender) return sender;
  }
  return undefined;
}

function party(word: string): Party | undefined {
  return Object.hasOwn(PARTIES, word) ? PARTIES[word] : undefined;
}

/** `receives` and `sends` are the words that make the party the receiver or the sender. */
function beside(word: string, receives: boolean, sends: boolean): Party | undefined {
  const named = party(word);
  if (!named || receives === sends) return undefined;
  return receives ? other(named) : named;
}
