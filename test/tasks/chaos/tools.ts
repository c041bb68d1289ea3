import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import { defineTool, type ToolCall, type ServerTool } from '../../../runtime/server/index.js';
import type { TaskControls } from '../../../runtime/tasks/index.js';
import { noteEffect } from './effects.js';

/** What every tool returns, as JSON text. */
export interface ChaosResult {
  readonly name: string;
  readonly attempt: number;
  /** What each step returned. */
  readonly steps: Readonly<Record<string, string>>;
  readonly answer?: unknown;
}

export const TOOL_NAMES = ['once', 'again', 'steps', 'asks'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

const STEPS = ['first', 'second', 'third'];
/** Of a step, and of a pause. */
const LONGEST_MS = { quick: 60, slow: 1_500 };

const input = z.object({
  name: z.string(),
  /** Slow tasks outlast what happens to their process, which then meets the run of another. */
  pace: z.enum(['quick', 'slow']),
  pauses: z.boolean(),
});
type Call = ToolCall<z.output<typeof input>>;

const sleep = (longest: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * longest));

/**
 * `once` may not be repeated. `again` may, and has no steps. `steps` has three steps, and `asks` asks the
 * user between them.
 */
export function chaosTools(file: string, node: string): readonly ServerTool[] {
  async function runStep({ task, args }: Call, step: string): Promise<string> {
    const about = { task: task.id, step, attempt: task.attempt, node };
    const token = await task.step(step, async () => {
      const mine = randomUUID();
      noteEffect(file, { what: 'runs', ...about, token: mine });
      await sleep(LONGEST_MS[args.pace]);
      return mine;
    });
    noteEffect(file, { what: 'has', ...about, token });
    return token;
  }

  async function runTool(tool: ToolName, call: Call): Promise<string> {
    const { task, args } = call;
    noteEffect(file, { what: 'starts', task: task.id, tool, node });
    const steps: Record<string, string> = {};
    let answer: unknown;
    if (tool === 'once' || tool === 'again') await sleep(LONGEST_MS[args.pace]);
    else {
      await sleep(LONGEST_MS[args.pace]);
      for (const step of STEPS) {
        if (args.pauses) await task.sleep(Math.random() * LONGEST_MS[args.pace]);
        steps[step] = await runStep(call, step);
        if (tool === 'asks' && step === 'first') answer = (await ask(task)).content?.['answer'];
      }
    }
    const result: ChaosResult = { name: args.name, attempt: task.attempt, steps, answer };
    return JSON.stringify(result);
  }

  return TOOL_NAMES.map((name) =>
    defineTool({
      name,
      description: 'A tool of the chaos test',
      input,
      taskSupport: 'required',
      asks: ['elicitation.form'],
      retryable: name === 'again' || name === 'asks',
      steps: name === 'steps',
      run: (call) => runTool(name, call),
    }),
  );
}

function ask(task: TaskControls): ReturnType<TaskControls['elicit']> {
  return task.elicit(
    {
      message: 'Which?',
      requestedSchema: { type: 'object', properties: { answer: { type: 'string' } } },
    },
    { key: 'which' },
  );
}
