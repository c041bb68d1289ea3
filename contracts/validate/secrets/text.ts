import { isSecretInQuery, isSecretName } from './names.js';

/** Stands for a secret. */
export const MASK = '‹masked›';

/** What stands for a secret. */
export type Mark = (secret: string) => string;

export interface TextMasking {
  readonly mark: Mark;
  /** Longer texts are cut before they are searched. */
  readonly longest: number;
}

/** For a page, which shows the beginning of a text. */
export const SHOWN: TextMasking = { mark: () => MASK, longest: 16_000 };

/** Credentials by their form. Each matches in linear time. */
const FORMS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{8,}(?:\.[\w-]*){1,4}/g,
  /\b(?:sk|pk|rk)[-_](?=[\w-]{0,200}?[A-Z\d]|[a-z]{16})[\w-]{16,}/g,
  /\b(?:gh[oprsu]|github_pat|glpat|xox[a-z]|xapp|npm|hf|pypi|dop_v1|shpat|SG)[-_.](?=[\w.-]{0,200}?[A-Z\d]|[a-z]{16})[\w.-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
];
/** `Bearer …` in any case. */
const BEARER = /\b(bearer|dpop|negotiate)(\s+|%20|\+)([^\s"'`,;<>\\]+)/gi;
/** `Basic …`, if it looks like an encoded text rather than a word. */
const BASIC =
  /\b([Bb]asic|BASIC|[Dd]igest|NTLM|[Tt]oken)(\s+)(?=[\w+/-]{0,200}?[A-Z\d=])([\w+/=.-]{4,})/g;
/** `https://user:password@host`; a password may contain `@`. */
const USER = /(:\/\/)([^\s/?#"'<>]{1,2000})@/g;
/** `--password value`, if the value looks like more than a word. With `=`, it is a name before its value. */
const OPTION =
  /(?<![\w-])(--?([A-Za-z][\w-]{0,100}))([ \t]{1,8})(?=\S*[^a-z\s])(?!-)("[^"]*"|'[^']*'|\S+)/g;
/** `-u name:password`, as curl has it; numbers are ids of a user and a group. */
const LOGIN =
  /(?<![\w-])(-u|--(?:proxy-)?user)([ \t]{1,8}|=)(?!\d+:\d+\b)([^\s:"']{1,200}:\S+|"[^":]*:[^"]*"|'[^':]*:[^']*')/g;
/** `-pSECRET`, if it looks like more than a word or a port; of clients of databases, also if it does not. */
const SHORT =
  /(?<![\w-])(-p)(?=\S{0,200}[A-Za-z])(?=\S{0,200}[^a-z\s-])([^\s"'=-][^\s"']{3,})|\b((?:mysql|mariadb|mongo|sshpass)[\w-]{0,20}\b[^\n|;&]{0,200}?\s-p[ \t]?)("[^"]*"|'[^']*'|[^\s"'-]\S*)/g;
/** `<password>value</password>`, also as entities, and `<key>password</key><string>value</string>`. */
const ELEMENT =
  /((?:<|&lt;)(?:[\w.-]{1,60}:)?([\w.-]{1,100})(?:\s[^<>&]{0,300})?(?:>|&gt;)\s{0,8}(?:<!\[CDATA\[)?)((?:[^<&\]]|\](?!\]>)|&(?!lt;))+)(?=(?:\]\]>\s{0,8})?(?:<\/|&lt;\/))/g;
const ENTRY = /(<(?:key|name)>([\w .-]{1,100})<\/(?:key|name)>\s{0,80}<(?:string|value)>)([^<]+)/gi;
/** `<add key="password" value="x"/>` */
const ATTRIBUTES =
  /(\b(?:key|name)\s{0,8}=\s{0,8}["']([^"'<>]{1,100})["']\s{1,80}value\s{0,8}=\s{0,8}["'])([^"']+)/gi;
/** `machine example.org login ann password x`, also on several lines, and a line of `.pgpass`. */
const NETRC =
  /(\b(?:machine\s{1,8}\S{1,200}|default)\s{1,80}(?:account\s{1,8}\S{1,100}\s{1,80})?login\s{1,8}\S{1,100}\s{1,80}(?:account\s{1,8}\S{1,100}\s{1,80})?password\s{1,8}|\bmachine\s{1,8}(?:localhost|\S{1,100}\.\S{1,100})\s{1,80}password\s{1,8}|(?<![^\s"'])[^\s:]{0,100}[A-Za-z*][^\s:]{0,100}:(?:\d{4,5}|\*):[^\s:]{1,100}:[^\s:]{1,100}:)(\S+)/gm;
/** A name in the query of a URL, also of a URL inside another one's query: `?name=`, `%3Fname%3D`. */
const QUERY = /(?:[?&#;]|%3[fF]|%26)([\w.~%[\]-]{1,200}?)(?:=|%3[dD])/g;
const END_OF_QUERY = /[&#\s"'<>\\]|%26|%23/g;
const QUOTES = /\\*["'`]/g;
/** What stands between a name and its value, from its `:` or `=`: `: `, `":"`, `=`, `\": \"`. */
const SEPARATOR = /[:=]>?\s{0,8}(\\{0,8}["'`])?/g;
/** How far before its separator a name may begin, in characters. */
const REACH = 120;
const NAME_END = /((?:[\p{L}\p{N}]{2,20} )?[\p{L}\p{N}_.-]{2,100})(\\{0,8}["'`])?\s{0,8}$/u;

/** What every form, name or URL with a secret contains. */
const SUSPECT = /[:=@<\s_%+?&#;-]|eyJ|AKIA|ASIA|AIza/;

/** A text without its credentials. */
export function maskText(text: string, { mark, longest }: TextMasking = SHOWN): string {
  if (text.length <= longest && !SUSPECT.test(text)) return text;
  const cut = text.length > longest ? text.slice(0, longest) : text;
  const formless = FORMS.reduce((rest, form) => rest.replace(form, mark), cut);
  const masked = maskValues(formless, QUERY, mark, (start, [, name = '']) =>
    isSecretInQuery(name) ? endAt(formless, END_OF_QUERY, start) : start,
  );
  const named = (all: string, before: string, name: string, value: string): string =>
    isSecretName(name) ? before + mark(value) : all;
  const scheme = (all: string, word: string, space: string, key: string): string =>
    isWord(key) ? all : word + space + mark(key);
  const plain = [ELEMENT, ENTRY, ATTRIBUTES]
    .reduce((rest, form) => rest.replace(form, named), masked)
    .replace(USER, (_, before: string, user: string) => `${before}${mark(user)}@`)
    .replace(OPTION, (all: string, flag: string, name: string, space: string, value: string) =>
      isSecretName(name) && !isWord(value) ? flag + space + mark(value) : all,
    )
    .replace(SHORT, (_, flag: string, value: string, before: string | undefined, other: string) =>
      before === undefined ? flag + mark(value) : before + mark(other),
    )
    .replace(NETRC, (_, before: string, value: string) => before + mark(value))
    .replace(LOGIN, (_, flag: string, space: string, login: string) => flag + space + mark(login))
    .replace(BEARER, scheme)
    .replace(BASIC, scheme);
  return maskValues(plain, SEPARATOR, mark, (start, { index, 0: separator, 1: quote = '' }) => {
    const [, name = '', closing = ''] = NAME_END.exec(nearBefore(plain, index)) ?? [];
    if (!endsWithSecretName(name)) return start;
    const end = endOfValue(plain, start, closing !== '' || separator.startsWith('='), quote);
    const value = plain.slice(start, end);
    const isCount = /^\s*\d[\d.,]*\s*$/.test(value) && !endsWithSecretName(name, 1);
    const isSentence = (ALSO_WORD.test(name) && /\S\s+\S/.test(value)) || isProse(value);
    return isCount || (isSentence && quote === '' && closing === '') ? start : end;
  });
}

/** Words of a text that need the one before to name a secret: `API key`. */
const SECOND = /^(?:key|code|phrase)$/i;

/** A name that a sentence may have before a colon: `The session: it begins at ten.` */
const ALSO_WORD = /(?:^| )sess(?:ion)?$/i;

function endsWithSecretName(words: string, value?: unknown): boolean {
  const last = words.split(' ').at(-1) ?? '';
  return isSecretName(last, value) || (SECOND.test(last) && isSecretName(words));
}

/** The characters that may be a name with its quote, so that long texts are not searched again and again. */
function nearBefore(text: string, index: number): string {
  const near = text.slice(Math.max(0, index - REACH), index);
  return /[^\s\p{L}\p{N}_.\-\\"'`]/u.test(near)
    ? near.replace(/^.*[^\s\p{L}\p{N}_.\-\\"'`]/su, '')
    : near;
}

/** Masks the values after these names. `endOf` returns the end of a value, or its start for a harmless one. */
function maskValues(
  text: string,
  names: RegExp,
  mark: Mark,
  endOf: (start: number, found: RegExpExecArray) => number,
): string {
  let masked = '';
  let copied = 0;
  for (names.lastIndex = 0; ;) {
    const found = names.exec(text);
    if (!found) return masked + text.slice(copied);
    const start = names.lastIndex;
    const end = endOf(start, found);
    if (end === start) continue;
    masked += text.slice(copied, start) + mark(text.slice(start, end));
    copied = end;
    names.lastIndex = end;
  }
}

/** A quoted value ends with its quote, another one with its word, or like a header's with its line. */
function endOfValue(text: string, start: number, isWord: boolean, quote: string): number {
  if (quote !== '') {
    for (QUOTES.lastIndex = start; ;) {
      const found = QUOTES.exec(text);
      if (!found) return text.length;
      if (found[0] === quote) return found.index;
    }
  }
  return endAt(text, isWord ? /[\s,;&)}\]]/g : /[\r\n]/g, start);
}

/** Where the first match from here begins, or else the end of the text. */
function endAt(text: string, pattern: RegExp, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
}

/** Words that make several words a sentence: secrets, also those of words, hardly ever contain them. */
const IN_SENTENCES = new RegExp(
  `^(?:\\p{Ll}{1,2}|${[
    'all|also|and|any|are|been|but|can|comes|contains|created|default|der|des|die|das|each|ein|eine|every|expires',
    'for|from|has|have|how|into|its|les|los|must|needed|never|not|only|optional|our|see|set|should|that|the|their|them',
    'then|there|they|this|those|una|und|une|unless|until|used?|uses|using|was|when|where|which|who|will|with|without|your?',
    'api|cookies?|credentials?|keys?|passwords?|secrets?|sessions?|tokens?',
  ].join('|')})$`,
  'u',
);
/** Words that a description or a program may say of a value. */
const OF_TYPES = new Set(
  'any array bool boolean false int integer list nil none null number object optional required str string true'.split(
    ' ',
  ),
);
/** A name in braces, as a template has it. */
const PLACEHOLDER = /^["'`(]*(?:[$#%]?\{{1,2}[\w .-]*\}{1,2}|<[\w .-]*>)["'`).,;:!?]*$/;
/** What stands for a secret already. */
const MASKED = /^(?:\*masked:[0-9a-f]{8}\*|‹masked›)[.,;:!?)]*$/;
const AROUND = /^["'`([{*_–—-]+|["'`)\]}*_,.;:!?…–—-]+$/g;
/** A word, also `GitHub`, `OAuth`, `API`; no more than two digits, because a PIN has four. */
const WORD = /^(?:\p{Lu}{0,6}\p{Ll}{0,16}(?:\p{Lu}{1,4}\p{Ll}{0,12})?|\d{1,2})$/u;

/** Longer ones are a page or a program. */
const LONGEST = { word: 80, text: 1_000 };

/** Whether a text is a word rather than a secret, perhaps with marks of a sentence around it. */
function isWord(text: string): boolean {
  if (text.length > LONGEST.word) return false;
  return (
    PLACEHOLDER.test(text) ||
    bare(text)
      .split(/[-_/.'’]/)
      .every((part) => WORD.test(part))
  );
}

/** Whether the text after a name and a colon or an equals sign says something of the name, rather than being its value. */
function isProse(value: string): boolean {
  if (value.length > LONGEST.text) return false;
  const words = value.trim().split(/\s+/);
  if (!words.every(isWord)) return false;
  const isSentence = words.length > 1;
  return words.some((word) => {
    const plain = bare(word).toLowerCase();
    if (MASKED.test(word)) return false;
    return (
      PLACEHOLDER.test(word) ||
      OF_TYPES.has(plain) ||
      (isSentence ? IN_SENTENCES.test(plain) : plain === '')
    );
  });
}

function bare(word: string): string {
  return word.replace(AROUND, '');
}
