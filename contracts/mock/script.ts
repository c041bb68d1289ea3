import type { JsonObject } from '../../runtime/tasks/index.js';
import type { Model } from './model.js';
import { askedIn } from './model.js';
import type { Recorded } from './recording.js';
import type { RecordedRequest } from './request-key.js';
import { createdIn } from './tasks-in.js';

/**
 * A step of an exchange. `notify` and `ask`: the server sends a notification, or asks the client. `answered`: the client
 * answers a question.
 */
export interface Step {
  readonly kind: 'notify' | 'ask' | 'answered';
  readonly message: JsonObject;
  /** As it is sent again. */
  readonly sent: JsonObject;
  readonly ms: number | undefined;
  readonly place: number;
}

/** An exchange as it was recorded. */
export interface Script {
  readonly exchange: number;
  readonly asked: RecordedRequest;
  readonly revision: string | undefined;
  /** When the request came. */
  readonly begin: number | undefined;
  readonly before: readonly Step[];
  /** Undefined where the request was withdrawn, or lasts. */
  readonly answer: Recorded | undefined;
  readonly answerPlace: number;
  /** What the server sent later. */
  readonly after: readonly Step[];
  /** The id of the task that it creates. */
  readonly taskId: string | undefined;
}

/** Steps of one exchange. A recording with more is played without the others. */
const MOST_STEPS = 100_000;

export function scriptOf(model: Model, exchange: number): Script {
  const { message, ms } = model.requestOf(exchange);
  const answer = model.answerOf(exchange);
  const end = model.answerPlace(exchange);
  const before: Step[] = [];
  const after: Step[] = [];
  for (const place of model.extrasOf(exchange)) {
    if (before.length + after.length >= MOST_STEPS) break;
    (place < end ? before : after).push(stepOf(model.recording.at(place), place));
  }
  return {
    exchange,
    asked: askedIn(message),
    revision: model.revisionOf(exchange),
    begin: ms,
    before,
    answer,
    answerPlace: end,
    after,
    taskId: createdIn(answer?.message['result']),
  };
}

function stepOf({ message, sent, ms }: Recorded, place: number): Step {
  const kind =
    message['method'] === undefined ? 'answered' : message['id'] === undefined ? 'notify' : 'ask';
  return { kind, message, sent, ms, place };
}
