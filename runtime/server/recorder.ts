import { createOperations, RECORDS_NOTHING } from '../telemetry/index.js';
import { member } from '../wire/json.js';
import { spokenBy } from '../wire/spoken.js';
import { isEventStream, wasReceived } from './sdk/index.js';

/**
 * Records the HTTP requests that no connection receives: those that are refused before there is one, and
 * subscriptions, which the SDK serves without one.
 */
export interface Recorder {
  /** `startedAt` is milliseconds since the epoch. */
  record(request: Request, message: unknown, response: Response, startedAt: number): Promise<void>;
}

export function createRecorder(revisions: readonly string[]): Recorder {
  const operations = createOperations('server');
  return {
    async record(request, message, response, startedAt) {
      const method = member(message, 'method');
      if (typeof method !== 'string' || wasReceived(request)) return;
      const claimed = spokenBy(request) ?? request.headers.get('mcp-protocol-version');
      const operation = operations.received(
        message as { readonly method: string },
        () => ({ transport: 'tcp', revision: revisions.find((each) => each === claimed) }),
        startedAt,
      );
      if (operation === RECORDS_NOTHING) return;
      operation.end(await answerOf(response));
    },
  };
}

/** The error of a refusal. A stream has begun, so its request was accepted. */
async function answerOf(response: Response): Promise<{ readonly error?: unknown } | undefined> {
  if (isEventStream(response) || response.body === null) return undefined;
  const text = await response.clone().text();
  try {
    return { error: member(JSON.parse(text), 'error') };
  } catch {
    return { error: { message: `HTTP status ${response.status}` } };
  }
}
