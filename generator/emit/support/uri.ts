/** Whether the text is a URI with a scheme, by the grammar of RFC 3986. */
export function matchesUri(value: string): boolean {
  return USUAL.test(value) || matchesAnyUri(value);
}

/** Without escapes and addresses in brackets, in one step, because most URIs are so. */
const USUAL =
  /^[A-Za-z][A-Za-z\d+.-]*:[\w.~!$&'()*+,;=:@/-][\w.~!$&'()*+,;=:@/?-]*(?:#[\w.~!$&'()*+,;=:@/?-]*)?$/;

function matchesAnyUri(value: string): boolean {
  if (!/^[a-z][a-z\d+.-]*:(?![?#]|$)/i.test(value)) return false;
  const rest = value.slice(value.indexOf(':') + 1);
  if (!rest.includes('[')) return matchesUriText(rest);
  const [host, address] = ADDRESS.exec(rest) ?? [];
  return (
    host !== undefined &&
    (address === undefined || matchesIpv6(address)) &&
    matchesUriText(rest.slice(0, rest.indexOf('[')) + rest.slice(host.length))
  );
}

/**
 * A user, and an address in brackets: of a future version, or perhaps of version 6. Then a port. No repetition is of
 * alternatives, because these overflow the stack in a long text.
 */
const ADDRESS =
  /^\/?\/(?:[\w.~!$&'()*+,;=:%-]*@)?\[(?:v[\da-f]+\.[\w.~!$&'()*+,;=:-]+|([\da-f:.]*))\](?::\d*)?(?![^/?#])/i;

/** Path, query and fragment: allowed characters, two digits after each %, at most one #. */
function matchesUriText(text: string): boolean {
  return (
    !/[^\w.~!$&'()*+,;=:@/?#%-]|%(?![\da-f]{2})/i.test(text) &&
    text.indexOf('#') === text.lastIndexOf('#')
  );
}

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
