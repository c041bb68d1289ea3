import { PROTOCOL_VERSIONS } from '../../../runtime/protocol.js';
import type { JsonObject } from '../../../runtime/tasks/index.js';
import { ON_DEMAND } from '../../../runtime/peer/wire/on-demand.js';
import { loadRevisions } from '../../../runtime/peer/wire/revision.js';
import type { Rule } from './pair.js';
import { isEvents } from './rules.js';
import type { WireAnswer } from './wire.js';

/**
 * The codes of JSON-RPC errors that answers of a status have. 200 is the status of every answer of a handler, and of
 * those that a session gives.
 */
const CODES: Readonly<Record<number, readonly number[] | undefined>> = {
  200: [-32600, -32601, -32602, -32603, -32021, -32042, -32055, 429],
  400: [-32700, -32600, -32602, -32020, -32021, -32022, -32000],
  401: [-32000],
  403: [-32000],
  404: [-32601, -32000, -32001],
  405: [-32000],
  406: [-32000],
  413: [-32000],
  415: [-32000],
  429: [-32000, 429],
  503: [-32000],
};
/** Of health checks, and of authorization: its metadata, and errors in the form of OAuth. */
const OTHER_BODIES = /^\{"(?:(?:status|resource)":|error":")/;

/** Finds an answer of our server that is no message of a revision, or whose status and code do not belong together. */
export async function messageRule(): Promise<Rule> {
  const { loaded, load } = await loadRevisions(PROTOCOL_VERSIONS, true, ON_DEMAND);
  await Promise.all(PROTOCOL_VERSIONS.map(load));
  const revisions = [...loaded.values()];
  const isMessage = (message: JsonObject): boolean => {
    // JSON-RPC asks for null where the id could not be read, which the schemas do not have.
    const { id, ...rest } = message;
    const checked = id === null ? rest : message;
    return revisions.some((revision) => revision.check(checked, 'server') === undefined);
  };
  return (answers) => {
    for (const answer of answers) {
      for (const message of messagesIn(answer)) {
        if (!isMessage(message)) return `Not a message of MCP: ${JSON.stringify(message)}`;
        const { error } = message as { readonly error?: { readonly code: number } };
        if (error === undefined) {
          if (answer.status !== 200) return `The status of a result is ${answer.status}`;
        } else if (CODES[answer.status]?.includes(error.code) !== true) {
          return `An answer of status ${answer.status} has the code ${error.code}`;
        }
      }
    }
    return undefined;
  };
}

function messagesIn(answer: WireAnswer): JsonObject[] {
  const text = Buffer.from(answer.body, 'latin1').toString();
  if (isEvents(answer.headers)) {
    return [...text.matchAll(/^data: (\{.*)$/gm)].map(
      ([, data = '']) => JSON.parse(data) as JsonObject,
    );
  }
  if (!answer.whole || text === '' || OTHER_BODIES.test(text)) return [];
  return [JSON.parse(text) as unknown].flat() as JsonObject[];
}
