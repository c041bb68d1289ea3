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
export function isWord(text: string): boolean {
  if (text.length > LONGEST.word) return false;
  return (
    PLACEHOLDER.test(text) ||
    bare(text)
      .split(/[-_/.'’]/)
      .every((part) => WORD.test(part))
  );
}

/** Whether the text after a name and a colon or an equals sign says something of the name, rather than being its value. */
export function isProse(value: string): boolean {
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
