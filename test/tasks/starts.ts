import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

import type { HandlerContext, TaskHandler, TaskSummary } from '../../runtime/tasks/index.js';

/**
 * Handlers that note each start in a file, before they do anything else: the note outlives a kill.
 * `again` may be retried, `steps` too once it has a step, `stepped` always because it says that it has only
 * steps; every other tool may not.
 */
export function notedHandlers(
  log: string,
  run: TaskHandler['run'],
): (task: TaskSummary) => TaskHandler {
  return ({ id, fence, tool = '' }) => ({
    retryable: tool === 'again',
    steps: tool === 'stepped',
    async run(context) {
      appendFileSync(log, `${id} ${fence} ${tool}\n`);
      if (tool === 'stepped')
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
      if (tool === 'steps' || tool === 'stepped') await runSteps(log, context);
      return run(context);
    },
  });
}

/** Throws unless each attempt started at most once, and what may not be retried at most once in all. */
export function checkStarts(log: string): number {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
  const attempts = new Set<string>();
  const once = new Set<string>();
  for (const line of lines) {
    assert.ok(!attempts.has(line), `started twice under one fence: ${line}`);
    attempts.add(line);
    const [id = '', , tool] = line.split(' ');
    if (tool !== 'once') continue;
    assert.ok(!once.has(id), `may not be retried and was: ${line}`);
    once.add(id);
  }
  checkSteps(log);
  return lines.length;
}

/** Three steps. Each notes in a file that it runs, and then that its result is recorded. */
async function runSteps(log: string, { task }: HandlerContext): Promise<void> {
  const note = (what: 'runs' | 'has', name: string): void =>
    appendFileSync(stepsLog(log), `${task.id} ${what} ${name}\n`);
  for (const name of ['first', 'second', 'third']) {
    await task.step(name, async () => {
      note('runs', name);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
    });
    note('has', name);
  }
}

/** Throws if a step ran whose result was recorded. */
function checkSteps(log: string): void {
  const file = stepsLog(log);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const recorded = new Set<string>();
  for (const line of lines) {
    const [id = '', what, name = ''] = line.split(' ');
    const step = `${id} ${name}`;
    if (what === 'has') recorded.add(step);
    else assert.ok(!recorded.has(step), `a recorded step ran again: ${step}`);
  }
}

function stepsLog(log: string): string {
  return `${log}-steps`;
}
