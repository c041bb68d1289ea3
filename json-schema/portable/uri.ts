/** Whether the text is a URI with a scheme, by the grammar of RFC 3986. */
export function matchesUri(value: string): boolean {
  return USUAL.test(value) || matchesUnusualUri(value);
}

/** Without escapes and addresses in brackets, in one step, because most URIs are so. */
const USUAL =
  /^[a-z][a-z\d+.-]*:[\w.~!$&'()*+,;=:@/-][\w.~!$&'()*+,;=:@/?-]*(?:#[\w.~!$&'()*+,;=:@/?-]*)?$/i;

/**
 * Replaces escapes by tildes and leaves the address out: what remains must be a usual URI. URIs allow a tilde wherever they
 * allow an escape, and neither in a scheme.
 */
function matchesUnusualUri(value: string): boolean {
  const plain = value.replace(/%[\da-f]{2}/gi, '~');
  const [all, scheme, address] = ADDRESS.exec(plain) ?? [];
  if (all === undefined) return USUAL.test(plain);
  const rest = `${scheme}/${plain.slice(all.length)}`;
  return USUAL.test(rest) && (address === undefined || matchesIpv6(address));
}

/**
 * The scheme, a user, and an address in brackets: of a future version, or perhaps of version 6. Then a port. No repetition is of
 * alternatives, because these overflow the stack in a long text.
 */
const ADDRESS =
  /^([^:]*:)\/?\/(?:[\w.~!$&'()*+,;=:-]*@)?\[(?:v[\da-f]+\.[\w.~!$&'()*+,;=:-]+|([\da-f:.]*))\](?::\d*)?(?![^/?#])/i;

function matchesIpv6(text: string): boolean {
  const [left = '', right, ...more] = text.length > 45 ? ['x'] : text.split('::');
  if (right === undefined) return ipv6Groups(left, true) === 8;
  return more.length === 0 && ipv6Groups(left, false) + ipv6Groups(right, true) <= 7;
}

/** The number of 16-bit groups in the text; more than an address has if the text is not an address. */
function ipv6Groups(text: string, last: boolean): number {
  if (text === '') return 0;
  const groups = text.split(':');
  const ipv4 = last && groups.at(-1)?.includes('.') ? groups.pop() : undefined;
  const good =
    groups.every((group) => /^[\da-f]{1,4}$/i.test(group)) &&
    (ipv4 === undefined || /^(?:(?:25[0-5]|2[0-4]\d|[01]?\d?\d)(?:\.(?!$)|$)){4}$/.test(ipv4));
  return good ? groups.length + (ipv4 === undefined ? 0 : 2) : 9;
}
