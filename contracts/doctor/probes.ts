import { quote } from '../../json-schema/text.js';
import type { CallHandle, JsonObject } from '../../runtime/client/index.js';
import { ERROR_CODES, EXTENSION_ID, METHODS, REVISIONS } from '../../runtime/protocol.js';
import { at, isRecord } from '../validate/index.js';
import { ask, evidenceOf, outcome } from './ask.js';
import type { Answer, Probing } from './ask.js';
import { drawn, wrongFor } from './draw.js';
import { declaredLists } from './lists.js';
import type { Lists } from './lists.js';
import type { Found } from './model.js';

/** Names that no server has. */
const UNKNOWN = 'mcp-codegen-doctor-unknown';
/** Calls of each tool with drawn arguments. */
const CALLS_OF_TOOL = 2;
/** Tools that are called. */
const MOST_TOOLS = 60;

/** A tool that may be called. */
interface Callable {
  readonly name: string;
  readonly schema: unknown;
  /** The simplest arguments. */
  readonly simple: JsonObject;
  readonly all: readonly JsonObject[];
  readonly taskSupport: unknown;
}

export interface Probed {
  readonly calls: number;
  /** Tools that were called, and those that were not, because they may write. */
  readonly called: number;
  readonly left: number;
  /** What the time was too short for. */
  readonly skipped: readonly string[];
}

type Report = Omit<Found, 'section'>;

/** Asks for what does not exist, calls tools, cancels, and makes tasks. @throws {Lost} */
export async function probe(probing: Probing, lists: Lists): Promise<Probed> {
  const { tools } = lists;
  const wanted = tools.filter((tool) => mayCall(tool, probing)).slice(0, MOST_TOOLS);
  const callable = wanted.flatMap((tool) => callableOf(tool, probing.seed));
  let calls = 0;
  const parts: Readonly<Record<string, () => Promise<void>>> = {
    'unknown names': () => unknownNames(probing),
    'a cursor that it did not issue': () => wrongCursor(probing),
    'wrong arguments': () => wrongArguments(probing, callable),
    cancellation: () => cancellation(probing, callable[0]),
    tasks: async () => void (calls += await tasks(probing, callable)),
    calls: async () => void (calls += await plainCalls(probing, callable)),
  };
  const skipped: string[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (!probing.deadline.isOver) await part();
    // It may have ended within.
    if (probing.deadline.isOver) skipped.push(name);
  }
  return { calls, called: callable.length, left: tools.length - callable.length, skipped };
}

/** Without a word of the server, a tool may write. */
function mayCall(tool: JsonObject, { calls }: Probing): boolean {
  if (calls === 'none' || typeof tool['name'] !== 'string') return false;
  return calls === 'all' || at(tool, 'annotations', 'readOnlyHint') === true;
}

function callableOf(tool: JsonObject, seed: number): Callable[] {
  const { name, inputSchema: schema } = tool;
  const all = drawn(schema, seed, CALLS_OF_TOOL);
  const [simple] = all;
  if (simple === undefined) return [];
  const taskSupport = at(tool, 'execution', 'taskSupport');
  return [{ name: name as string, schema, simple, all, taskSupport }];
}

/** What no server has, and the answers that the protocol has for it. */
async function unknownNames(probing: Probing): Promise<void> {
  const { report } = probing;
  const { capabilities } = probing.client.server;
  const isStateless = isExt(probing);
  const method = `${UNKNOWN}/method`;
  const unknown = await ask(probing, method, {});
  refusal(probing, unknown, {
    what: 'a method that does not exist',
    codes: [ERROR_CODES.MethodNotFound],
    of: { severity: 'error', code: 'unknown-method' },
  });
  if (Object.hasOwn(capabilities, 'tools')) {
    const answer = await ask(probing, METHODS.toolsCall, { name: UNKNOWN, arguments: {} });
    const isError = answer.kind === 'result' && answer.result['isError'] === true;
    if (!isError) {
      refusal(probing, answer, {
        what: 'a call of a tool that does not exist',
        of: { severity: 'error', code: 'unknown-tool' },
      });
    }
  }
  if (Object.hasOwn(capabilities, 'prompts')) {
    refusal(probing, await ask(probing, METHODS.promptsGet, { name: UNKNOWN }), {
      what: 'a prompt that does not exist',
      codes: [ERROR_CODES.InvalidParams],
      of: { severity: 'warning', code: 'unknown-prompt', requirement: ['BASE-PROMPT-1'] },
    });
  }
  if (Object.hasOwn(capabilities, 'resources')) {
    const answer = await ask(probing, METHODS.resourcesRead, { uri: `${UNKNOWN}://nothing` });
    // Templates may stand for every URI.
    const contents = answer.kind === 'result' ? answer.result['contents'] : undefined;
    const isEmpty = Array.isArray(contents) && contents.length === 0;
    refusal(probing, answer, {
      what: 'a resource that does not exist',
      of: {
        severity: isStateless && isEmpty ? 'error' : 'warning',
        code: 'unknown-resource',
        ...(isStateless && { requirement: ['BASE-RES-2'] }),
      },
    });
  }
  await unknownTask(probing, report);
}

async function unknownTask(probing: Probing, report: Probing['report']): Promise<void> {
  if (!declaresTasks(probing)) return;
  const answer = await ask(probing, METHODS.tasksGet, { taskId: UNKNOWN });
  const requirement = [isExt(probing) ? 'EXT-ERR-1' : 'CORE-ERR-1'];
  const code = 'unknown-task';
  const { kind, evidence } = answer;
  if (kind === 'error' && answer.code !== undefined && answer.code !== ERROR_CODES.InvalidParams) {
    const message = `The server refuses an unknown task with ${String(answer.code)} instead of ${String(ERROR_CODES.InvalidParams)}.`;
    report({ severity: 'error', code, requirement, message, evidence });
  } else {
    const what = 'a task that does not exist';
    refusal(probing, answer, { what, of: { severity: 'error', code, requirement } });
  }
}

interface Refusal {
  readonly what: string;
  /** The codes that the protocol has for it. Default: any. */
  readonly codes?: readonly number[];
  readonly of: Omit<Report, 'message' | 'evidence'>;
}

/** Reports an answer that is no refusal, or one with another code. */
function refusal({ report }: Probing, answer: Answer, { what, codes, of }: Refusal): void {
  const { kind, evidence } = answer;
  if (kind === 'unclear') return;
  if (kind === 'none') {
    const message = `The server does not answer a request for ${what}.`;
    report({ ...of, severity: 'error', code: 'no-answer', message, evidence });
  } else if (kind === 'result') {
    report({ ...of, message: `The server gives a result for ${what}.`, evidence });
  } else if (codes && answer.code !== undefined && !codes.includes(answer.code)) {
    const message = `The server refuses ${what} by ${String(answer.code)} instead of ${codes.join(' or ')}.`;
    report({ ...of, severity: 'warning', message, evidence });
  }
}

async function wrongCursor(probing: Probing): Promise<void> {
  const [method] = declaredLists(probing);
  if (method === undefined) return;
  const answer = await ask(probing, method, { cursor: UNKNOWN });
  refusal(probing, answer, {
    what: `${method} from a cursor that it did not issue`,
    codes: [ERROR_CODES.InvalidParams],
    of: { severity: 'warning', code: 'wrong-cursor', requirement: ['BASE-PAGE-3'] },
  });
}

async function wrongArguments(probing: Probing, callable: readonly Callable[]): Promise<void> {
  for (const { name, schema, simple } of callable) {
    const wrong = wrongFor(schema, simple);
    if (wrong === undefined || probing.deadline.isOver) continue;
    const params = { name, arguments: wrong.value };
    const answer = await ask(probing, METHODS.toolsCall, params);
    const isError = answer.kind === 'result' && answer.result['isError'] === true;
    if (answer.kind !== 'result' || isError) continue;
    probing.report({
      severity: 'warning',
      code: 'accepts-wrong-arguments',
      requirement: ['BASE-TOOL-4'],
      message: `The tool ${quote(name)} accepts arguments that its schema refuses: ${wrong.why}`,
      evidence: answer.evidence,
    });
  }
}

/** Cancels a request, after which the server has to answer others. */
async function cancellation(probing: Probing, tool: Callable | undefined): Promise<void> {
  const [list] = declaredLists(probing);
  const [method, params] = tool
    ? [METHODS.toolsCall, { name: tool.name, arguments: tool.simple }]
    : [list, {}];
  if (method === undefined) return;
  const stop = new AbortController();
  const cancelled = ask(probing, method, params, stop.signal);
  setTimeout(() => stop.abort(), CANCEL_AFTER);
  await cancelled;
  const after = isExt(probing) ? METHODS.serverDiscover : METHODS.ping;
  const { kind } = await ask(probing, after, {});
  if (kind !== 'none') return;
  const shown = [
    ...evidenceOf(probing, METHODS.notificationsCancelled),
    ...evidenceOf(probing, after),
  ];
  probing.report({
    severity: 'error',
    code: 'no-answer',
    requirement: ['BASE-PING-1'],
    message: `The server does not answer ${after} after a request was cancelled.`,
    evidence: shown,
  });
}

/** Milliseconds: the request is sent by then, and most calls are not answered. */
const CANCEL_AFTER = 5;

/** Follows a task of a tool to its result, and cancels another one. `validate` judges the messages. */
async function tasks(probing: Probing, callable: readonly Callable[]): Promise<number> {
  const { client, patience } = probing;
  if (!declaresTasks(probing) || isExt(probing)) return 0;
  const tool = callable.find(({ taskSupport }) => TASKS.has(taskSupport));
  if (tool === undefined) return 0;
  const start = (): Promise<CallHandle> =>
    client.start(tool.name, tool.simple, { asTask: true, timeout: patience });
  await outcome(probing, async () => (await start()).result());
  await outcome(probing, async () => (await start()).cancel());
  return 2;
}

const TASKS: ReadonlySet<unknown> = new Set(['required', 'optional']);

/** Calls tools with drawn arguments. Errors of a tool are no faults. Tasks that a server makes of calls are followed. */
async function plainCalls(probing: Probing, callable: readonly Callable[]): Promise<number> {
  let calls = 0;
  for (const { name, all } of callable) {
    for (const args of all) {
      if (probing.deadline.isOver) return calls;
      calls += 1;
      const { kind } = await outcome(probing, (timeout) =>
        probing.client.call(name, args, { asTask: false, timeout }),
      );
      // It lasts longer, or waits for something.
      if (kind === 'none') break;
    }
  }
  return calls;
}

function isExt({ client }: Probing): boolean {
  return client.revision !== undefined && REVISIONS[client.revision].dialect === 'ext';
}

function declaresTasks(probing: Probing): boolean {
  const { capabilities } = probing.client.server;
  const path = isExt(probing) ? ['extensions', EXTENSION_ID] : ['tasks'];
  return isRecord(at(capabilities, ...path));
}
