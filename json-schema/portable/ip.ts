/** IP addresses. */

/** By RFC 2673: four decimal numbers without leading zeros. */
export function matchesIpv4(value: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(value);
}

/** By RFC 4291, without a zone. */
export function matchesIpv6(value: string): boolean {
  const [left = '', right, ...more] = value.length > 45 ? ['x'] : value.split('::');
  if (right === undefined) return groups(left, true) === 8;
  return more.length === 0 && groups(left, false) + groups(right, true) <= 7;
}

/** The number of 16-bit groups in the text; more than an address has if the text is not part of one. */
function groups(text: string, last: boolean): number {
  if (text === '') return 0;
  const all = text.split(':');
  const ipv4 = last && all.at(-1)?.includes('.') ? all.pop() : undefined;
  const good =
    all.every((group) => /^[\da-f]{1,4}$/i.test(group)) &&
    (ipv4 === undefined || matchesIpv4(ipv4));
  return good ? all.length + (ipv4 === undefined ? 0 : 2) : 9;
}
