// Written by `npm run revisions` from schema/revisions.json. Do not edit.

import type {
  FeatureMap as FeatureMap_2024_11_05,
  NotificationMap as NotificationMap_2024_11_05,
  RequestMap as RequestMap_2024_11_05,
} from '../../../generated/2024-11-05/protocol.js';
import type {
  FeatureMap as FeatureMap_2025_03_26,
  NotificationMap as NotificationMap_2025_03_26,
  RequestMap as RequestMap_2025_03_26,
} from '../../../generated/2025-03-26/protocol.js';
import type {
  FeatureMap as FeatureMap_2025_06_18,
  NotificationMap as NotificationMap_2025_06_18,
  RequestMap as RequestMap_2025_06_18,
} from '../../../generated/2025-06-18/protocol.js';
import type {
  FeatureMap as FeatureMap_2025_11_25,
  NotificationMap as NotificationMap_2025_11_25,
  RequestMap as RequestMap_2025_11_25,
} from '../../../generated/2025-11-25/protocol.js';
import type {
  FeatureMap as FeatureMap_2026_07_28,
  NotificationMap as NotificationMap_2026_07_28,
  RequestMap as RequestMap_2026_07_28,
} from '../../../generated/2026-07-28/protocol.js';
import type {
  FeatureMap as FeatureMap_ext_tasks,
  NotificationMap as NotificationMap_ext_tasks,
  RequestMap as RequestMap_ext_tasks,
} from '../../../generated/ext-tasks/protocol.js';

/** The requests of each revision, with those of the extensions that it may be used with. */
export interface RequestMaps {
  '2024-11-05': RequestMap_2024_11_05;
  '2025-03-26': RequestMap_2025_03_26;
  '2025-06-18': RequestMap_2025_06_18;
  '2025-11-25': RequestMap_2025_11_25;
  '2026-07-28': RequestMap_2026_07_28 & RequestMap_ext_tasks;
}

/** The methods that each side of it serves, by the capability that it declares for them. */
export interface FeatureMaps {
  '2024-11-05': FeatureMap_2024_11_05;
  '2025-03-26': FeatureMap_2025_03_26;
  '2025-06-18': FeatureMap_2025_06_18;
  '2025-11-25': FeatureMap_2025_11_25;
  '2026-07-28': FeatureMap_2026_07_28 & FeatureMap_ext_tasks;
}

/** Its notifications, with theirs. */
export interface NotificationMaps {
  '2024-11-05': NotificationMap_2024_11_05;
  '2025-03-26': NotificationMap_2025_03_26;
  '2025-06-18': NotificationMap_2025_06_18;
  '2025-11-25': NotificationMap_2025_11_25;
  '2026-07-28': NotificationMap_2026_07_28 & NotificationMap_ext_tasks;
}
