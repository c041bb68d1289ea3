import type { Change, Introduced } from './change.js';
import { wordsOf } from './texts.js';

/** Invisible characters; joiners of emoji and line ends are none. */
const HIDDEN =
  /(?!\t|\n|\r|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const DOMAINS =
  'ai|app|biz|cn|co|com|dev|edu|gov|info|io|link|me|net|online|org|ru|sh|site|top|xyz';
const REFUSING =
  "do(?:es)? not|don['’]?t|never|must(?: not|n['’]?t)|should(?: not|n['’]?t)|without|avoid|no need to|not to";
const TELLING =
  'alert|ask|disclose|display|explain|expose|inform|let|log|mention|notify|report|reveal|say|show|tell|warn';
const GIVING =
  'add|append|attach|collect|copy|embed|email|encode|exfiltrate|fetch|fill|forward|give|include|insert|leak|list|' +
  'mail|output|pass|paste|post|print|provide|put|read|repeat|return|send|share|submit|supply|transmit|upload|write';
const DATA =
  'api[ _-]?keys?|chat|content of|context|contents?|conversations?|cookies?|credentials?|dotfiles?|\\.env|env(?:ironment)? ?var\\w*|' +
  'files?|history|id_rsa|(?:private |ssh |secret |access )?keys?|memor(?:y|ies)|messages?|passphrases?|passwords?|' +
  'secrets?|sessions?|\\.ssh|(?:system )?prompts?|tokens?|transcripts?';

const TRAITS: readonly (readonly [string, RegExp])[] = [
  [
    'an address',
    new RegExp(
      `\\b[a-z][a-z0-9+.-]{0,20}://[^\\s"'<>\`]+|\\b(?:mailto|data|javascript):\\S+|` +
        `(?<![\\w.+-])[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+|` +
        `\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b|(?<![\\w.-])(?:[a-z0-9-]{1,63}\\.){1,8}(?:${DOMAINS})\\b(?:/\\S*)?`,
      'gi',
    ),
  ],
  [
    'a request for secrecy',
    new RegExp(
      `\\b(?:${REFUSING})\\b[^.!?\\n]{0,40}?\\b(?:${TELLING})\\w*|\\b(?:secretly|silently|quietly|covertly|stealth\\w*|unnoticed)\\b|` +
        `\\bkeep (?:this|it|that)\\b[^.!?\\n]{0,30}|\\b(?:confidential|between us)\\b|\\bhid(?:e|den|ing)\\b[^.!?\\n]{0,20}\\bfrom\\b`,
      'gi',
    ),
  ],
  [
    'a request for data',
    new RegExp(`\\b(?:${GIVING})(?:s|ing)?\\b[^.!?\\n]{0,80}?(?<![a-z])(?:${DATA})(?![a-z])`, 'gi'),
  ],
];

/** What the new side of a change introduces; `tools` are the names of all tools. */
export function introducedBy(change: Change, tools: ReadonlySet<string>): readonly Introduced[] {
  const { path = '', name, before, after } = change;
  if (after === undefined) return [];
  const [was, is] = [wordsOf(before), [path, ...wordsOf(after)]];
  const finders: readonly (readonly [string, (word: string) => readonly string[]])[] = [
    ...TRAITS.map(
      ([what, pattern]) => [what, (word: string) => visible(word).match(pattern) ?? []] as const,
    ),
    [
      'the name of another tool',
      (word) => namesIn(word).filter((each) => tools.has(each) && each !== name),
    ],
    ['an invisible character', (word) => word.match(HIDDEN) ?? []],
  ];
  return finders.flatMap(([what, find]): Introduced[] => {
    const known = new Set(was.flatMap(find));
    const text = is.flatMap(find).find((each) => !known.has(each));
    return text === undefined ? [] : [{ what, text }];
  });
}

/** Invisible characters split no word, and letters of other widths are the same letters. */
const visible = (word: string): string =>
  word.slice(0, MOST_READ).replace(HIDDEN, '').normalize('NFKC');

const namesIn = (word: string): string[] =>
  (visible(word).match(/[\w./-]*[\w-]/g) ?? []).filter((each) => each.length > 2);

/** Characters of one text that are read for hints. */
const MOST_READ = 100_000;
