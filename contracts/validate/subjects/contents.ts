import { quote } from '../../../json-schema/text.js';
import { matchesBase64 } from '../../../json-schema/portable/byte.js';
import { at, isRecord, textAt } from '../access.js';
import type { Path } from '../access.js';
import { cut } from '../finding.js';
import type { Breach } from '../finding.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Subject } from './subject.js';

const MIME_TYPE = /^[^\s/;]+\/[^\s/;]+(?:\s*;.*)?$/;
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s"<>\\^`{|}]*$/;

/** Images, audio and blobs in results, and the URIs of listed resources. */
export class Contents implements Subject {
  answer({ request, result }: AnsweredRequest): readonly Breach[] {
    switch (request.answered) {
      case 'tools/call':
        return each(at(result, 'content'), ['result', 'content'], checkBlock);
      case 'prompts/get':
        return each(at(result, 'messages'), ['result', 'messages'], (message, key) =>
          checkBlock(at(message, 'content'), [...key, 'content']),
        );
      case 'resources/read':
        return each(at(result, 'contents'), ['result', 'contents'], checkBlob);
      case 'resources/list':
        return each(at(result, 'resources'), ['result', 'resources'], checkResource);
      default:
        return NOTHING;
    }
  }
}

function each(
  list: unknown,
  key: Path,
  check: (value: unknown, key: Path) => readonly Breach[],
): readonly Breach[] {
  if (!Array.isArray(list)) return NOTHING;
  let breaches: Breach[] | undefined;
  for (const [index, value] of (list as unknown[]).entries()) {
    if (isRecord(value))
      for (const found of check(value, [...key, index])) (breaches ??= []).push(found);
  }
  return breaches ?? NOTHING;
}

function checkBlock(block: unknown, key: Path): readonly Breach[] {
  const type = at(block, 'type');
  if (type === 'text') return NOTHING;
  if (type === 'resource') return checkBlob(at(block, 'resource'), [...key, 'resource']);
  if (type !== 'image' && type !== 'audio') return NOTHING;
  const mimeType = textAt(block, 'mimeType');
  if (mimeType === undefined || MIME_TYPE.test(mimeType)) return checkData(block, 'data', key);
  const message = `mimeType is ${quote(cut(mimeType))}: give a type and a subtype, such as "image/png".`;
  return [
    { code: 'bad-media', message, key: [...key, 'mimeType'] },
    ...checkData(block, 'data', key),
  ];
}

function checkBlob(contents: unknown, key: Path): readonly Breach[] {
  return checkData(contents, 'blob', key);
}

function checkData(holder: unknown, name: string, key: Path): readonly Breach[] {
  const data = textAt(holder, name);
  if (data === undefined || matchesBase64(data)) return NOTHING;
  return [{ code: 'bad-media', message: `${name} is not base64.`, key: [...key, name] }];
}

function checkResource(resource: unknown, key: Path): readonly Breach[] {
  const uri = textAt(resource, 'uri');
  if (uri === undefined || URI.test(uri)) return NOTHING;
  const message = `The URI ${quote(cut(uri))} is not one of RFC 3986: begin with a scheme, such as "file:", and escape spaces.`;
  return [{ code: 'bad-uri', message, key: [...key, 'uri'] }];
}
