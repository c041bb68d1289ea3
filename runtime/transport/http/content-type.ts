const JSON_TYPE = 'application/json';

/** Whether a `Content-Type` header is that of JSON, with whatever parameters. */
export function isJsonContentType(header: string | null): boolean {
  if (header === JSON_TYPE) return true;
  const [type = ''] = (header ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== JSON_TYPE) return false;
  return !isSeveral((header ?? '').slice(type.length));
}

/** Whether a comma stands outside of quotes: the values of several headers, joined. */
function isSeveral(parameters: string): boolean {
  let isQuoted = false;
  for (let at = 0; at < parameters.length; at += 1) {
    const character = parameters[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === '\\' && isQuoted) at += 1;
    else if (character === ',' && !isQuoted) return true;
  }
  return isQuoted && parameters.includes(',');
}
