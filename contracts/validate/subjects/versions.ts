import { quote } from '../../../json-schema/text.js';
import { at, textAt, textsAt } from '../access.js';
import { cut } from '../finding.js';
import type { Breach } from '../finding.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Subject } from './subject.js';

/** The versions that servers without sessions name: in `server/discover`, and when they refuse one. */
export class Versions implements Subject {
  answer({ message, result, request, dialect }: AnsweredRequest): readonly Breach[] {
    if (!dialect.stateless) return NOTHING;
    if (result !== undefined)
      return request.method === 'server/discover' ? listed(result, request.revision) : NOTHING;
    const code = dialect.validators.tables.errors['UnsupportedProtocolVersion'];
    if (code === undefined || at(message, 'error', 'code') !== code) return NOTHING;
    return refused(at(message, 'error', 'data'), request.revision);
  }
}

function listed(result: unknown, revision: string): readonly Breach[] {
  const supported = at(result, 'supportedVersions');
  if (!Array.isArray(supported) || supported.includes(revision)) return NOTHING;
  const message = `The server answers in ${revision}, which it does not list in supportedVersions.`;
  return [{ code: 'wrong-versions', message, key: ['result', 'supportedVersions'] }];
}

function refused(data: unknown, revision: string): readonly Breach[] {
  const key = ['error', 'data'];
  if (textsAt(data, 'supported').includes(revision)) {
    const message = `The server refuses ${revision}, which it lists as supported.`;
    return [{ code: 'wrong-versions', message, key: [...key, 'supported'] }];
  }
  const requested = textAt(data, 'requested');
  if (requested === undefined || requested === revision) return NOTHING;
  const message = `The server refuses ${quote(cut(requested))}, but the request has ${revision}.`;
  return [{ code: 'wrong-versions', message, key: [...key, 'requested'] }];
}
