const LONGEST_LINE = 500;

/** Control and formatting characters could forge lines, move a terminal's cursor or reverse its text. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, LONGEST_LINE);
}
