import { CallError, createTaskClient } from '@mcp-codegen/runtime/client';
import type { CallHandle, FollowOptions, TaskClient } from '@mcp-codegen/runtime/client';
import { element } from './elements.js';
import { answerForm } from './question.js';

/** The task that the page follows is kept for a reload, in this tab only. */
const KEPT = 'task';

const form = element('call', HTMLFormElement);
const status = element('status', HTMLParagraphElement);
const progress = element('progress', HTMLProgressElement);
const result = element('result', HTMLPreElement);
const start = element('start', HTMLButtonElement);
const cancel = element('cancel', HTMLButtonElement);

const options: FollowOptions = {
  onStatus: (state) => (status.textContent = `The task is ${state.status.replace('_', ' ')}`),
  onProgress: ({ progress: done, total = 1, message = '' }) => {
    progress.value = done / total;
    if (message !== '') status.textContent = message;
  },
};

/** Follows a call to its end, and shows the result. */
async function follow(
  server: string,
  begin: (client: TaskClient) => Promise<CallHandle>,
): Promise<void> {
  const client = createTaskClient({
    name: 'browser-client',
    version: '0.1.0',
    answer: { form: answerForm },
  });
  // The page follows one call at a time.
  start.disabled = true;
  result.textContent = '';
  progress.value = 0;
  status.textContent = 'Connecting';
  try {
    await client.connect(server);
    // With the tools, the client has their output schemas, and checks results.
    await client.tools();
    const call = await begin(client);
    const { reference } = call;
    if (reference) sessionStorage.setItem(KEPT, JSON.stringify({ server, reference }));
    cancel.disabled = false;
    // The result shows whether the task was cancelled.
    cancel.onclick = () => void call.cancel().catch(() => undefined);
    const { structuredContent, content } = await call.result();
    result.textContent = JSON.stringify(structuredContent ?? content, null, 2);
    status.textContent = `Done in revision ${client.revision ?? ''}`;
    progress.value = 1;
    sessionStorage.removeItem(KEPT);
  } catch (error) {
    status.textContent = error instanceof Error ? error.message : String(error);
    // With a reference, a reload may find the task again.
    if (!(error instanceof CallError && error.reference)) sessionStorage.removeItem(KEPT);
  } finally {
    cancel.disabled = true;
    await client.close();
    start.disabled = false;
  }
}

form.onsubmit = (event) => {
  event.preventDefault();
  const given = new FormData(form);
  const text = (name: string): string => given.get(name) as string;
  // `follow` shows the error of arguments that are not JSON.
  void follow(text('server'), async (client) => {
    const args = JSON.parse(text('args')) as Record<string, unknown>;
    return client.start(text('tool'), args, options);
  });
};

const kept = sessionStorage.getItem(KEPT);
if (kept !== null) {
  const { server, reference } = JSON.parse(kept) as { server: string; reference: string };
  void follow(server, (client) => client.resume(reference, options));
}
