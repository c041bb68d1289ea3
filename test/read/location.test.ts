import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownLocation, withAuthorization } from '../../generator/read/load/location.js';

const SECRET = 'S3CRET';
/** A text around the secret, of whatever may stand in a user part, a query or a fragment. */
const secret = fc
  .tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))
  .map(([before, after]) => `${encodeURIComponent(before)}${SECRET}${encodeURIComponent(after)}`);

describe('a location as it is shown', () => {
  it('has no user, password, query or fragment of a URL, and keeps the rest', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: false, withFragments: false }),
        fc.option(secret, { nil: undefined }),
        fc.option(secret, { nil: undefined }),
        fc.option(secret, { nil: undefined }),
        (plain, user, query, fragment) => {
          const userPart = user === undefined ? '' : `${user}:${user}@`;
          const full =
            plain.replace('://', `://${userPart}`) +
            (query === undefined ? '' : `?token=${query}`) +
            (fragment === undefined ? '' : `#${fragment}`);
          expect(shownLocation(full)).toBe(plain);
        },
      ),
    );
  });

  it('keeps a JSON pointer', () => {
    const place = 'https://example.com/openapi.yaml#/components/schemas';
    expect(shownLocation(place.replace('.yaml', `.yaml?${SECRET}`))).toBe(place);
  });

  it('keeps an @ in the path', () => {
    const place = 'https://example.com/@scope/a@b.json';
    expect(shownLocation(`${place}?${SECRET}@c`)).toBe(place);
    expect(shownLocation(place.replace('://', `://${SECRET}@`))).toBe(place);
  });

  it('has none of a URL that is not valid either', () => {
    for (const url of [
      `https://user:${SECRET}@bad host/a.json`,
      `https://user:${SECRET}@[::1/a.json?t=${SECRET}`,
      `https://user:p@${SECRET}@example.com/a.json`,
      `https://user:p/${SECRET}@example.com/a.json`,
      `https://user:p?${SECRET}@example.com/a.json`,
      `https://user:${SECRET}/?@example.com/a.json`,
      `https://user:p\n${SECRET}@example.com:x/a.json`,
      `ftp://${SECRET}@example.com/a.json`,
      `https://example.com:port/?${SECRET}#${SECRET}`,
    ]) {
      expect(shownLocation(url)).not.toContain(SECRET);
    }
  });

  it('is a path as it was written', () => {
    for (const path of ['a?b#c.json', 'C:\\a@b.json', './x', '/home/a:b@c/d.json']) {
      expect(shownLocation(path)).toBe(path);
    }
  });
});

describe('the user part of a URL', () => {
  it('is sent as Basic authentication, decoded', () => {
    const { url, authorization } = withAuthorization(
      new URL('https://a%40b:p%20%C3%A9@example.com/x?y'),
    );
    expect(String(url)).toBe('https://example.com/x?y');
    expect(authorization).toBe(`Basic ${Buffer.from('a@b:p é').toString('base64')}`);
  });

  it('may have percent signs that begin no escape', () => {
    const { authorization } = withAuthorization(new URL('https://a:100%@example.com/'));
    expect(authorization).toBe(`Basic ${Buffer.from('a:100%').toString('base64')}`);
  });

  it('is not sent where there is none', () => {
    const url = new URL('https://example.com/');
    expect(withAuthorization(url)).toEqual({ url });
  });
});
