import {
  type CallOptions,
  createTaskClient,
  type DeclaredCapabilities,
  type InputHandlers,
  type TaskClient,
} from '../client/index.js';
import { partsOf, type Way } from './ways.js';

export interface WayClientOptions {
  /** Default: the newest revision of the server, with tasks. */
  readonly way?: Way | undefined;
  readonly answer?: InputHandlers | undefined;
  readonly onError: (error: Error) => void;
}

const INFO = { name: 'test', version: '1.0.0' };

/** A client that calls tools in one way. It is not connected. */
export function wayClient({ way, answer = {}, onError }: WayClientOptions): TaskClient {
  if (way === undefined) return createTaskClient({ ...INFO, answer, onError });
  const { kind, revision } = partsOf(way);
  const options = { ...INFO, revisions: [revision], answer, onError };
  if (kind === 'task') return createTaskClient(options);
  return withoutTasks(createTaskClient({ ...options, capabilities: capabilitiesOf(answer) }));
}

/** What a client declares that has no tasks. */
function capabilitiesOf({ form, url, sampling, roots }: InputHandlers): DeclaredCapabilities {
  return {
    ...((form ?? url) && { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } }),
    ...(sampling && { sampling: {} }),
    ...(roots && { roots: {} }),
  };
}

/** A client that asks for no task where the client decides, unless a call says otherwise. */
function withoutTasks(client: TaskClient): TaskClient {
  const plain = (options: CallOptions = {}): CallOptions => ({ asTask: false, ...options });
  const calls: Pick<TaskClient, 'start' | 'call'> = {
    start: (tool, args, options) => client.start(tool, args, plain(options)),
    call: (tool, args, options) => client.call(tool, args, plain(options)),
  };
  return Object.assign(Object.create(client) as TaskClient, calls);
}
