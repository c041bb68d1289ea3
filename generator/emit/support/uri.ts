/** Whether the text is a URI with a scheme, by the grammar of RFC 3986. */
export function matchesUri(value: string): boolean {
  const colon = value.indexOf(':');
  if (!/^[a-z]/i.test(value) || /[^a-z0-9+.-]/i.test(value.slice(0, Math.max(colon, 0)))) {
    return false;
  }
  const rest = value.slice(colon + 1);
  if (colon < 0 || /^(?:$|[?#])/.test(rest)) return false;
  const open = rest.indexOf('[');
  if (open < 0) return matchesUriText(rest);
  const close = rest.indexOf(']', open);
  const slashes = rest.startsWith('//') ? 2 : 1;
  const user = rest.slice(slashes, open);
  return (
    close > open &&
    rest.startsWith('/') &&
    (user === '' || (user.indexOf('@') === user.length - 1 && matchesUriText(user))) &&
    !/[/?#]/.test(user) &&
    matchesIpLiteral(rest.slice(open + 1, close)) &&
    matchesAfterAddress(rest, close + 1)
  );
}

/** Path, query and fragment: allowed characters, two digits after each %, at most one #. */
function matchesUriText(text: string): boolean {
  return (
    !/[^\w.~!$&'()*+,;=:@/?#%-]|%(?![\da-f]{2})/i.test(text) &&
    text.indexOf('#') === text.lastIndexOf('#')
  );
}

function matchesAfterAddress(text: string, start: number): boolean {
  let at = start;
  if (text[at] === ':') while (/\d/.test(text.charAt(++at)));
  return at === text.length || (/[/?#]/.test(text.charAt(at)) && matchesUriText(text.slice(at)));
}

function matchesIpLiteral(text: string): boolean {
  if (!/^v/i.test(text)) return matchesIpv6(text);
  const dot = text.indexOf('.');
  return (
    dot > 1 &&
    dot < text.length - 1 &&
    !/[^\da-f]/i.test(text.slice(1, dot)) &&
    !/[^\w.~!$&'()*+,;=:-]/.test(text.slice(dot + 1))
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
