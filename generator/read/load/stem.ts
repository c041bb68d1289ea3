/** `https://example.com/a/node.schema.json` → `node`: the name of a URI's file, in the script that it is written in. */
export function stemOf(uri: string): string {
  const last = uri
    .split('#')[0]
    ?.split('/')
    .findLast((part) => part !== '');
  return withoutEnding(decoded(last ?? ''));
}

export function withoutEnding(file: string): string {
  return file.replace(/(?:\.schema)?\.(?:json|ya?ml)$/i, '');
}

/** Other scripts are percent-encoded in URIs. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
