import { NOTIFICATIONS, REQUESTS } from '../../generated/ext-tasks/protocol.js';
import {
  validateTaskSubscriptionNotifications,
  wire,
} from '../../generated/ext-tasks/validators.js';
import type { RevisionVersion } from '../protocol.js';
import type { RevisionModules } from '../peer/wire/revision.js';
import { EXT } from './dialects/ext.js';
import type { ServedRevision } from './platform.js';

/** A revision without sessions, whose tasks are an extension. */
export function extRevision(version: RevisionVersion, modules: RevisionModules): ServedRevision {
  const tasksExtension = { NOTIFICATIONS, REQUESTS, validateTaskSubscriptionNotifications, wire };
  return { version, modules, dialect: EXT, tasksExtension };
}
