import {
  createTaskClient,
  type JsonObject,
  type TaskClient,
} from '../../../runtime/client/index.js';
import { type Arguments, convertTexts } from '../index.js';
import type { Audit } from './audit.js';
import { ClusterError } from './error.js';

/** A tool to call, with its arguments. */
export interface Wanted {
  readonly tool: string;
  readonly given: Arguments;
}

/** A call, and which node did what. */
export interface Called {
  readonly tool: string;
  readonly args: JsonObject;
  readonly result?: unknown;
  /** Why it failed. */
  readonly problem?: string;
  /** Undefined when the call made no task. */
  readonly createdBy?: string;
  readonly ranOn?: string;
}

/** The tool of the examples of `new server`, whose calls last for a moment. */
const EXAMPLE = 'count-primes';
const LIMITS = [100_000, 200_000, 300_000];

/** Calls a tool three times at once through the proxy. Returns nothing when no tool is named and the example is missing. */
export async function showCalls(
  url: string,
  headers: Readonly<Record<string, string>>,
  wanted: Wanted | undefined,
  audit: Audit,
  onCalled: (called: Called) => void,
): Promise<void> {
  const client = createTaskClient({ name: 'cluster', version: '1.0.0' });
  await client.connect(url, { headers });
  try {
    const calls = await callsFor(client, wanted);
    const shown = calls.map(async ({ tool, args }) =>
      onCalled(await called(client, tool, args, audit)),
    );
    await Promise.all(shown);
  } finally {
    await client.close();
  }
}

async function callsFor(
  client: TaskClient,
  wanted: Wanted | undefined,
): Promise<{ readonly tool: string; readonly args: JsonObject }[]> {
  const tools = await client.tools();
  const tool = tools.find(({ name }) => name === (wanted?.tool ?? EXAMPLE));
  if (wanted === undefined) {
    return tool === undefined ? [] : LIMITS.map((limit) => ({ tool: EXAMPLE, args: { limit } }));
  }
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(', ');
    throw new ClusterError(
      `The server has no tool ${JSON.stringify(wanted.tool)}.`,
      `Its tools: ${names}`,
    );
  }
  const { values, texts } = wanted.given;
  const args = { ...convertTexts(texts, tool.inputSchema), ...values };
  return LIMITS.map(() => ({ tool: tool.name, args }));
}

async function called(
  client: TaskClient,
  tool: string,
  args: JsonObject,
  audit: Audit,
): Promise<Called> {
  let taskId: string | undefined;
  try {
    const handle = await client.start(tool, args);
    taskId = handle.state?.taskId;
    const { structuredContent, content } = await handle.result();
    const result: unknown = structuredContent ?? content;
    return { tool, args, result, ...(await nodesOf(taskId, audit)) };
  } catch (error) {
    const problem = (error as Error).message;
    return { tool, args, problem, ...(await nodesOf(taskId, audit)) };
  }
}

async function nodesOf(
  taskId: string | undefined,
  audit: Audit,
): Promise<Pick<Called, 'createdBy' | 'ranOn'>> {
  if (taskId === undefined) return {};
  const [createdBy = 'an unknown node', ranOn = 'an unknown node'] = await Promise.all([
    audit.nodeOf(['created'], taskId),
    audit.nodeOf(['completed', 'failed', 'cancelled'], taskId),
  ]);
  return { createdBy, ranOn };
}
