import type { JsonObject } from '../../runtime/tasks/index.js';
import { type LegacyClient, modern, type Rig, until } from './support.js';

/** What most tests begin with: a task in either dialect, and its end. */

export async function startCore(
  client: LegacyClient,
  name: string,
  args: object = {},
  task: object = {},
): Promise<JsonObject & { taskId: string }> {
  const { result, error } = await client.request('tools/call', { name, arguments: args, task });
  if (error) throw new Error(JSON.stringify(error));
  return result?.['task'] as JsonObject & { taskId: string };
}

export async function ended(client: LegacyClient, taskId: string): Promise<JsonObject> {
  const { result } = await until(
    () => client.request('tasks/get', { taskId }),
    ({ result }) => !['working', 'input_required'].includes(String(result?.['status'])),
  );
  return result ?? {};
}

export async function startExt(rigged: Rig, name: string, args: object = {}): Promise<string> {
  const { result, error } = await modern(rigged, 'tools/call', { name, arguments: args });
  if (error) throw new Error(JSON.stringify(error));
  return String(result?.['taskId']);
}

export async function getExt(rigged: Rig, taskId: string): Promise<JsonObject> {
  return (await modern(rigged, 'tasks/get', { taskId })).result ?? {};
}

export const reaches = (rigged: Rig, taskId: string, status: string): Promise<JsonObject> =>
  until(
    () => getExt(rigged, taskId),
    (task) => task['status'] === status,
  );
