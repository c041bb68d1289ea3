/** The last header that was accepted: a client sends the same one with each request. */
let lastAccepted: string | undefined;

/** Whether an `Accept` header accepts both JSON and event streams. Without one, everything is accepted. */
export function acceptsBoth(header: string | null): boolean {
  if (header === null || header === lastAccepted) return true;
  if (!accepts(header, 'application/json') || !acceptsEvents(header)) return false;
  lastAccepted = header;
  return true;
}

export function acceptsEvents(header: string | null): boolean {
  return header === null || accepts(header, 'text/event-stream');
}

/** The most specific range decides. */
function accepts(header: string, type: string): boolean {
  const ranges = [type, `${type.split('/', 1)[0]}/*`, '*/*'];
  let [best, isAccepted] = [ranges.length, header.trim() === ''];
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    const at = ranges.indexOf(range);
    if (at < 0 || at > best) continue;
    // Of equal ranges with other parameters, one that accepts is enough.
    isAccepted = !isExcluded(parameters) || (at === best && isAccepted);
    best = at;
  }
  return isAccepted;
}

function isExcluded(parameters: readonly string[]): boolean {
  return parameters.some((each) => /^q=0(?:\.0{0,3})?$/.test(each));
}
