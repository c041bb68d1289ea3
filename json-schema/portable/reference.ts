/** URI references and IRIs, by RFC 3986 and RFC 3987. */
import { matchesIpv6 } from './ip.js';

export function matchesUriReference(value: string): boolean {
  return isReference(value);
}

export function matchesIri(value: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(value) && matchesIriReference(value);
}

/** An IRI maps to a URI: its characters outside ASCII become percent-encoded. */
export function matchesIriReference(value: string): boolean {
  const query = value.indexOf('?');
  const fragment = value.indexOf('#');
  const end = fragment < 0 ? value.length : fragment;
  const start = query < 0 || query > end ? end : query;
  const isPrivate = /[\ue000-\uf8ff\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}]/u;
  if (isPrivate.test(value.slice(0, start)) || isPrivate.test(value.slice(end))) return false;
  return !NO_IRI.test(value) && isReference(value.replace(/[^\0-\x7f]+/g, '%00'));
}

/** What is neither `ucschar` nor `iprivate`: controls, noncharacters, surrogates and tags. */
const NO_IRI = /[\x80-\x9f\ufdd0-\ufdef\ufff0-\uffff\u{e0000}-\u{e0fff}\p{Cs}\p{NChar}]/u;

/** A reference with a scheme is a URI. */
function isReference(text: string): boolean {
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(text)?.[0] ?? '';
  const hash = text.indexOf('#');
  const end = hash < 0 ? text.length : hash;
  const [whole, fragment] = [text.slice(scheme.length, end), text.slice(end + 1)];
  const mark = whole.indexOf('?');
  const hierarchy = mark < 0 ? whole : whole.slice(0, mark);
  if (!isText(fragment + whole.slice(hierarchy.length), '?/')) return false;
  const slash = hierarchy.startsWith('//') ? hierarchy.indexOf('/', 2) : 0;
  const path = slash < 0 ? '' : hierarchy.slice(slash);
  if (!isText(path, '/')) return false;
  if (hierarchy.startsWith('//'))
    return isAuthority(hierarchy.slice(2, slash < 0 ? undefined : slash));
  // Without a scheme, text before a colon would look like one.
  return scheme !== '' || !/^[^/]*:/.test(path);
}

function isAuthority(text: string): boolean {
  const at = text.indexOf('@');
  const host = text.slice(at + 1);
  if (!isText(text.slice(0, Math.max(at, 0)), '') || host.includes('@')) return false;
  const [name, port = ''] = host.startsWith('[')
    ? [/^\[[^\]]*\]/.exec(host)?.[0] ?? '[', /\](.*)$/s.exec(host)?.[1]]
    : [/^[^:]*/.exec(host)?.[0] ?? '', /:.*$/s.exec(host)?.[0]];
  if (!/^(?::\d*)?$/.test(port)) return false;
  return name.startsWith('[') ? isLiteral(name.slice(1, -1)) : isText(name, '');
}

function isLiteral(text: string): boolean {
  return matchesIpv6(text) || /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(text);
}

/** Path characters of RFC 3986, with two digits after each %, and these other characters. */
function isText(text: string, others: '' | '/' | '?/'): boolean {
  if (/[^\w.~!$&'()*+,;=:@%/?-]|%(?![\da-f]{2})/i.test(text)) return false;
  return others === '?/' || !(others === '/' ? /\?/ : /[?/]/).test(text);
}
