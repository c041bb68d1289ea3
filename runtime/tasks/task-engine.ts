import { createEngine, type TaskEngine, type TaskEngineOptions } from './engine.js';
import { createTelemetry } from './telemetry.js';

/** An engine that records its tasks with OpenTelemetry, where that is installed. */
export function createTaskEngine(options: TaskEngineOptions): Promise<TaskEngine> {
  return createEngine(options, createTelemetry());
}
