import * as z from 'zod';

import { defineTool, type ServerTool } from '../../runtime/server/index.js';
import { asksOf } from '../../runtime/rules/questions.js';
import type { JsonObject, TaskControls } from '../../runtime/tasks/index.js';

/** The suite's tools that send input requests during a plain call. */

type Question = (task: TaskControls) => Promise<JsonObject>;

function field(key: string, name: string, message: string, type = 'string'): Question {
  const requestedSchema = { type: 'object', properties: { [name]: { type } }, required: [name] };
  return async (task) => ({ ...(await task.elicit({ message, requestedSchema }, { key })) });
}

function prompt(key: string, text: string, maxTokens: number): Question {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return (task) => task.sample({ messages, maxTokens }, { key });
}

const roots: Question = (task) => task.input('roots/list', {}, { key: 'client_roots' });
const userName = field('user_name', 'name', 'What is your name?');
const confirmation = field('confirm', 'ok', 'Please confirm', 'boolean');

function asking(name: string, run: (task: TaskControls) => Promise<unknown>): ServerTool {
  return defineTool({
    name,
    description: `Fixture ${name}.`,
    input: z.object({}),
    retryable: true,
    run: async ({ task }) => `state-ok ${JSON.stringify(await run(task))}`,
  });
}

export const multiRoundTripTools = [
  asking('test_input_required_result_elicitation', userName),
  asking(
    'test_input_required_result_sampling',
    prompt('capital_question', 'What is the capital of France?', 100),
  ),
  asking('test_input_required_result_list_roots', roots),
  asking('test_input_required_result_request_state', confirmation),
  asking('test_input_required_result_tampered_state', confirmation),
  asking('test_streaming_elicitation', userName),
  asking('test_missing_capability', prompt('thought', 'Think', 10)),
  asking('test_input_required_result_multiple_inputs', (task) =>
    Promise.all([userName(task), prompt('greeting', 'Generate a greeting', 50)(task), roots(task)]),
  ),
  asking('test_input_required_result_multi_round', async (task) => [
    await field('step1', 'name', 'Step 1: What is your name?')(task),
    await field('step2', 'color', 'Step 2: What is your favorite color?')(task),
  ]),
  defineTool({
    name: 'test_input_required_result_capabilities',
    description: 'Asks whatever the client can be asked.',
    input: z.object({}),
    retryable: true,
    async run({ task, request }) {
      const asks = asksOf(request?.clientCapabilities);
      const questions = [
        ...(asks.includes('elicitation.form') ? [userName(task)] : []),
        ...(asks.includes('sampling') ? [prompt('thought', 'Think', 10)(task)] : []),
      ];
      return JSON.stringify(await Promise.all(questions));
    },
  }),
];
