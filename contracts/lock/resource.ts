import type { JsonValue } from '../../json-schema/index.js';
import { isObject } from '../../json-schema/json.js';
import type { At, Change } from './change.js';
import type { Sent } from './model.js';
import { asFact, isEqual, own, textChange } from './texts.js';
import { below } from './tool.js';

/** What follows the content of a resource, and changes with it. */
const FACTS = new Set(['size', 'lastModified']);

/** Resources of one URI, or templates of one URI template. */
export function compareResources(before: Sent, after: Sent, at: At): Change[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const place = below(at, key);
    const [was, is] = [own(before, key), own(after, key)];
    if (key === 'annotations') return compareFacts(was, is, place);
    const changes = textChange(place, key, was, is);
    if (key === 'mimeType') return changes.map(asMediaType);
    return FACTS.has(key) ? changes.map(asFact) : changes;
  });
}

function compareFacts(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  at: At,
): Change[] {
  if (isEqual(before, after)) return [];
  const [was, is] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...keys].flatMap((key) => {
    const changes = textChange(at, `annotations.${key}`, own(was, key), own(is, key));
    return FACTS.has(key) ? changes.map(asFact) : changes;
  });
}

function asMediaType(change: Change): Change {
  const reason = 'a reader that parses by the media type may not read it any more';
  return { ...change, verdict: 'unclear', rule: 'media-type', reason };
}
