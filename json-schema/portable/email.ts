/** E-mail addresses: `Mailbox` of RFC 5321, and of RFC 6531 with characters outside ASCII. */
import { matchesIpv4, matchesIpv6 } from './ip.js';

export function matchesEmail(value: string): boolean {
  return !/[^\0-\x7f]/.test(value) && isMailbox(value);
}

export function matchesIdnEmail(value: string): boolean {
  return !/\p{Cs}/u.test(value) && isMailbox(value);
}

function isMailbox(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1) return false;
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  return (local.startsWith('"') ? isQuoted(local) : isDotted(local)) && isDomain(domain);
}

/** Words with dots between them. */
function isDotted(text: string): boolean {
  return !/[^\w!#$%&'*+/=?^\x60{|}~.\x80-\uffff-]|^\.|\.\.|\.$/.test(text);
}

function isQuoted(text: string): boolean {
  const inner = text.slice(1, -1);
  return (
    text.length > 1 &&
    text.endsWith('"') &&
    // eslint-disable-next-line no-control-regex -- the grammar excludes control characters
    !/[\0-\x1f\x7f]/.test(inner) &&
    !/["\\]/.test(inner.replace(/\\[ -~]/g, ''))
  );
}

/** Of the address literals, only those of IP have a registered tag. */
function isDomain(text: string): boolean {
  if (text.startsWith('[')) {
    const literal = text.endsWith(']') ? text.slice(1, -1) : '';
    return literal.startsWith('IPv6:') ? matchesIpv6(literal.slice(5)) : matchesIpv4(literal);
  }
  return !/[^A-Za-z0-9.\x80-\uffff-]|^$|^[.-]|[.-][.]|[.]-|[.-]$/.test(text);
}
