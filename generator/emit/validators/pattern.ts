/**
 * `source` is the pattern in a form that is valid between slashes. It escapes quotes, non-ASCII
 * characters and lone surrogates, which a file in UTF-8 or another tool might change.
 */
export function regularExpression(pattern: string): string {
  const { source } = new RegExp(pattern, 'u');
  const plain = source.replace(/['"`]|[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
  return `/${plain}/u`;
}
