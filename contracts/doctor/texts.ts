import type { JsonObject } from '../../runtime/client/index.js';
import { quote } from '../../json-schema/text.js';
import { introducedBy } from '../lock/index.js';
import type { Sent } from '../lock/index.js';
import type { Found } from './model.js';
import type { Show } from './shown.js';

/** Characters that change what a reader sees: tags, and those that change direction or hide in a word. */
const DECEIVING = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|(?!\t|\n|\r)\p{Cc}/u;

/** Orders to a model. A request for secrecy or data alone is none: "overwrites without warning", "reads the content of files". */
const ORDERS =
  /<\/?(?:important|system|instructions?|secret|hidden)>|\bignore (?:all |any )?(?:previous|prior|other|above) (?:instructions|prompts|messages)|\b(?:before|after|instead of|whenever|when) (?:using|calling|you (?:use|call)) (?:this|any|another|other)\b[^.]{0,40}\b(?:must|always|first)\b|\byou are now\b|\b(?:do not|don['’]?t|never) (?:tell|mention|inform|notify|show|reveal)\b[^.!?\n]{0,30}\buser/gi;

/** Texts that instruct the model, or hide what they say. `kind` is where they stand: in a tool, a prompt or the instructions. */
export function judgeTexts(
  kind: string,
  value: string | JsonObject,
  tools: ReadonlySet<string>,
  {
    show,
    report,
  }: { readonly show: Show; readonly report: (found: Omit<Found, 'section'>) => void },
): void {
  const own = typeof value === 'string' ? undefined : String(value['name']);
  const what = own === undefined ? `The ${kind}` : `The ${kind} ${quote(own)}`;
  const verb = own === undefined ? 'have' : 'has';
  const change = {
    verdict: 'text',
    rule: 'text',
    part: 'tools',
    pointer: '',
    message: '',
  } as const;
  const found = introducedBy({ ...change, after: value as Sent }, tools);
  const said = (name: string): string | undefined => found.find((each) => each.what === name)?.text;
  const hidden = said('an invisible character');
  if (hidden !== undefined) {
    const isDeceiving = wordsIn(value).some((each) => DECEIVING.test(each));
    report({
      severity: isDeceiving ? 'error' : 'warning',
      code: 'hidden-characters',
      message: `${what} ${verb} characters that cannot be seen, such as U+${codeOf(hidden)}.`,
      evidence: [show(textWith(value, hidden))],
    });
  }
  const [order] = wordsIn(value).join('\n').match(ORDERS) ?? [];
  const [secrecy, data] = [said('a request for secrecy'), said('a request for data')];
  if (order === undefined) return;
  const isSure = (secrecy ?? data) !== undefined;
  const quoted = [order, secrecy, data].filter((each) => each !== undefined);
  report({
    severity: isSure ? 'error' : 'warning',
    code: 'instructs-model',
    message: `${what} ${verb} text that seems to instruct the model: ${quoted.map(quote).join(', ')}.`,
    evidence: [show(textWith(value, quoted[0] ?? ''))],
  });
}

const codeOf = (text: string): string =>
  (text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

function wordsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(wordsIn);
}

/** The text with a part, from a little before that. */
function textWith(value: unknown, part: string): string {
  const text = wordsIn(value).find((each) => each.includes(part)) ?? '';
  const from = Math.max(0, text.indexOf(part) - 60);
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 300)}`;
}
