import { quote } from '../../../json-schema/text.js';
import { at, isRecord, textAt } from '../access.js';
import { STRICT_SINCE } from '../codes/scopes.js';
import { cut } from '../finding.js';
import type { Breach } from '../finding.js';
import type { Dialect } from '../protocol.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Call, Subject } from './subject.js';

const LABEL = /^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
const NAME = /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?)?$/;
const PARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/** The keys of `_meta` in params and results, and the trace context in it. */
export class Metadata implements Subject {
  request({ params, dialect }: Call): readonly Breach[] {
    return checkMeta(params, 'params', dialect);
  }

  notification({ params, dialect }: Call): readonly Breach[] {
    return checkMeta(params, 'params', dialect);
  }

  answer({ result, dialect }: AnsweredRequest): readonly Breach[] {
    return checkMeta(result, 'result', dialect);
  }
}

function checkMeta(part: unknown, name: string, dialect: Dialect): readonly Breach[] {
  const meta = at(part, '_meta');
  if (!isRecord(meta) || dialect.revision < STRICT_SINCE) return NOTHING;
  let breaches: Breach[] | undefined;
  for (const key in meta) {
    if (isKey(key)) continue;
    const message = `${quote(cut(key))} is no key of _meta: use a name, or labels with dots between them, a slash and a name.`;
    (breaches ??= []).push({ code: 'bad-meta-key', message, key: [name, '_meta', key] });
  }
  const parent = dialect.stateless ? textAt(meta, 'traceparent') : undefined;
  if (parent === undefined || PARENT.test(parent)) return breaches ?? NOTHING;
  const message = `traceparent is ${quote(cut(parent))}: give a version, a trace id, a parent id and flags, as in W3C Trace Context.`;
  const key = [name, '_meta', 'traceparent'];
  return [...(breaches ?? []), { code: 'bad-trace-context', message, key }];
}

/** Keys that were found to be valid, because each message has the same few. */
const valid = new Set<string>();
const MOST_VALID = 1000;

function isKey(key: string): boolean {
  if (valid.has(key)) return true;
  const slash = key.lastIndexOf('/');
  const labels = slash < 0 ? [] : key.slice(0, slash).split('.');
  const isValid = labels.every((label) => LABEL.test(label)) && NAME.test(key.slice(slash + 1));
  if (isValid && valid.size < MOST_VALID && key.length < 200) valid.add(key);
  return isValid;
}
