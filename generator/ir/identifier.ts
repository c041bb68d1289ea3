/**
 * Characters that Unicode 16 and 17 added to identifiers. TypeScript up to version 7 has the tables of Unicode 15.1,
 * and does not read them.
 */
const NEWER = new RegExp(
  `[${[
    '088f-0897 0c5c 0cdc 1acf-1aeb 1c89-1c8a a7cb-a7cf a7d2 a7d4 a7da-a7f1 105c0-105f3 10940-10959 10d40-10d85',
    '10ec2-10efc 11380-113e2 116d0-116e3 11b60-11bf9 11db0-11de9 11f5a 13460-143fa 16100-16139 16d40-16d79',
    '16ea0-16ed3 16ff2-16ff6 187f8-187ff 18cff 18d09-18df2 1ccf0-1ccf9 1e5d0-1e6ff 2b73a-2b73f 2cea2-2cead',
    '323b0-33479',
  ]
    .join(' ')
    .replace(/[\da-f]+/g, '\\u{$&}')
    .replace(/ /g, '')}]`,
  'gu',
);

/** Joiners, which ECMAScript allows in identifiers, cannot be seen. */
const INVISIBLE = /[\u200c\u200d]/g;

const LONGEST = 80;

/**
 * `my-node`, `my_node` → `MyNode`; `v1.2` → `V1_2`; `HTTP_API` → `HttpApi`; `días de año` → `DíasDeAño`: the words of a
 * text as a part of an identifier, in any script. Empty when the text has no letter and no digit; it may begin with a
 * digit.
 */
export function pascalCase(text: string): string {
  const words = wordsOf(text);
  return words
    .map((word, index) => {
      const isBesideAcronym = [words[index - 1], words[index + 1]].some(isAcronym);
      return isAcronym(word) && isBesideAcronym ? word.toLowerCase() : word;
    })
    .map(capitalized)
    .reduce((name, word) => `${name}${endsLikeBeginning(name, word) ? '_' : ''}${word}`, '');
}

/** The text with a capital as its first letter, where the letter's script begins words with capitals. */
export function capitalized(text: string): string {
  return text.replace(/^([_$]*)(\P{Script=Georgian})/u, (same, signs: string, letter: string) => {
    const capital = letter.toUpperCase();
    return [...capital].length === 1 && composed(capital) === capital ? signs + capital : same;
  });
}

/** Whether a text is an identifier of ECMAScript, or a reserved word, in characters that all readers tell apart. */
export function isIdentifier(text: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(text) && text === composed(text);
}

/** TypeScript takes `é` and `e` with an accent for two names. */
function composed(text: string): string {
  return text.replace(INVISIBLE, '').normalize('NFC').replace(NEWER, ' ');
}

function wordsOf(text: string): string[] {
  return [...composed(text)]
    .slice(0, LONGEST)
    .join('')
    .split(/[^\p{ID_Continue}$]+|\p{Pc}+/u)
    .map((word) => word.replace(/^\p{M}+/u, ''))
    .filter((word) => word !== '');
}

function isAcronym(word = ''): boolean {
  return /^\p{Lu}[\p{Lu}\p{Nd}]+$/u.test(word);
}

/** `1` and `2` stay apart: `v1.12` is not `v11.2`. */
function endsLikeBeginning(name: string, word: string): boolean {
  return /\p{Nd}$/u.test(name) && /^\p{Nd}/u.test(word);
}
