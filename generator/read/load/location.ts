/** Whether a location is read over the network; `C:\schema.json` is a file. */
export function isUrl(location: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(location);
}

/**
 * A location as it may be shown and written into files: a URL without user, password, query and fragment, because
 * any of them may be a secret. A fragment that is a JSON pointer, and paths, stay as they are.
 */
export function shownLocation(location: string): string {
  if (!isUrl(location)) return location;
  // Where a secret ends in a URL that is not valid cannot be known.
  if (!URL.canParse(location)) return location.replace(/:\/\/.*/s, '://…');
  const [place = ''] = location.split(/[?#]/, 1);
  const [pointer = ''] = /#\/.*$/s.exec(location) ?? [];
  return place.replace(/:\/\/[^/\\]*@/, '://') + pointer;
}

/** The URL without its user part, and what that part asks for: HTTP's Basic authentication. */
export function withAuthorization(url: URL): {
  readonly url: URL;
  readonly authorization?: string;
} {
  if (url.username === '' && url.password === '') return { url };
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  const user = `${decoded(url.username)}:${decoded(url.password)}`;
  return { url: bare, authorization: `Basic ${Buffer.from(user).toString('base64')}` };
}

/** A percent sign that begins no escape means itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
