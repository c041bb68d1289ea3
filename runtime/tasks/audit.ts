import type { Clock } from './clock.js';
import type { TaskSummary } from './record.js';

/** What can happen to a task, or to a request for one. */
export type AuditEventType =
  | 'created'
  | 'deduplicated'
  | 'input_requested'
  | 'input_answered'
  | 'step_finished'
  | 'steps_changed'
  | 'retrieved'
  | 'listed'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'expired'
  | 'recovered'
  | 'released'
  | 'fenced'
  | 'abandoned'
  | 'refused'
  | 'fault';

export interface AuditEvent {
  readonly type: AuditEventType;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly owner?: string;
  readonly dialect?: string;
  readonly taskId?: string;
  readonly method?: string;
  readonly tool?: string;
  /** Why, for what was refused, failed or faulty; which step. */
  readonly reason?: string;
}

/** May be slow or fail; neither reaches the tasks. */
export type AuditSink = (event: AuditEvent) => unknown;

export type Audit = (type: AuditEventType, subject: AuditSubject, reason?: string) => void;

/** A task, or the part of a request that could be read. */
export type AuditSubject = Partial<
  Pick<TaskSummary, 'owner' | 'dialect' | 'id' | 'method' | 'tool'>
>;

export function createAudit(clock: Clock, sink: AuditSink | undefined): Audit {
  if (sink === undefined) return () => undefined;
  return (type, { owner, dialect, id, method, tool }, reason) => {
    const event: AuditEvent = {
      type,
      at: clock.now(),
      ...(owner !== undefined && { owner }),
      ...(dialect !== undefined && { dialect }),
      ...(id !== undefined && { taskId: id }),
      ...(method !== undefined && { method }),
      ...(tool !== undefined && { tool }),
      ...(reason !== undefined && { reason }),
    };
    void deliver(sink, event);
  };
}

/** Ignores a sink that throws as well as one that rejects. */
async function deliver(sink: AuditSink, event: AuditEvent): Promise<void> {
  try {
    await sink(event);
  } catch {
    // A faulty sink must not affect a task.
  }
}
