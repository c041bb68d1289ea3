import { jsonPointer } from '../../../json-schema/pointer.js';
import { quote } from '../../../json-schema/text.js';
import { at, isRecord } from '../../validate/index.js';
import type { LockBreach } from './finding.js';

/** Members that decide what a message means. */
const MEMBERS = [
  ...['jsonrpc', 'id', 'method', 'params', 'result', 'error', '_meta', 'capabilities'],
  ...['protocolVersion', 'instructions', 'tools', 'prompts', 'resources', 'resourceTemplates'],
  ...['nextCursor', 'name', 'uri', 'arguments', 'content', 'contents', 'messages'],
  ...['structuredContent', 'isError', 'resultType', 'task', 'taskId', 'status'],
  ...['inputRequests', 'inputResponses', 'requestState', 'requestId', 'code', 'data'],
];
const BY_LOWER_CASE = new Map(MEMBERS.map((name) => [name.toLowerCase(), name]));

/** Names that only some readers take for a member of the protocol, because they ignore cases. */
export function ambiguousNames(message: unknown): LockBreach[] {
  const places = [
    [],
    ['params'],
    ['result'],
    ['result', 'result'],
    ['params', 'result'],
    ['error'],
  ];
  return places.flatMap((place) => {
    const object = at(message, ...place);
    return Object.keys(isRecord(object) ? object : {}).flatMap((name): LockBreach[] => {
      const known = BY_LOWER_CASE.get(name.toLowerCase());
      if (known === undefined || known === name) return [];
      const text = `Some readers take the name ${quote(name)} for ${quote(known)}.`;
      return [{ code: 'ambiguous', message: text, pointer: jsonPointer([...place, name]) }];
    });
  });
}
