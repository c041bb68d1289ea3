import { revision20241105 } from '../../../runtime/server/revisions/2024-11-05.js';
import { revision20250326 } from '../../../runtime/server/revisions/2025-03-26.js';
import { revision20250618 } from '../../../runtime/server/revisions/2025-06-18.js';
import { revision20251125 } from '../../../runtime/server/revisions/2025-11-25.js';
import { revision20260728 } from '../../../runtime/server/revisions/2026-07-28.js';

export const REVISIONS = [
  revision20260728,
  revision20251125,
  revision20250618,
  revision20250326,
  revision20241105,
];
