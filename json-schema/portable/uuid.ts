/** Whether the text is a UUID, by the grammar of RFC 4122. Every version and variant is one. */
export function matchesUuid(value: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(value);
}
