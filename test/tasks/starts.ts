import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

import type { TaskHandler, TaskSummary } from '../../runtime/tasks/index.js';

/**
 * Handlers that note each start in a file, before they do anything else: the note outlives a kill.
 * `again` may be retried, every other tool may not.
 */
export function notedHandlers(
  log: string,
  run: TaskHandler['run'],
): (task: TaskSummary) => TaskHandler {
  return ({ id, fence, tool = '' }) => ({
    retryable: tool === 'again',
    run(context) {
      appendFileSync(log, `${id} ${fence} ${tool}\n`);
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
    if (tool === 'again') continue;
    assert.ok(!once.has(id), `may not be retried and was: ${line}`);
    once.add(id);
  }
  return lines.length;
}
