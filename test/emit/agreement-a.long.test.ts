import { agreesWithAjv } from './agreement.js';

// Two files, so that two processes share the work.
agreesWithAjv('2024-11-05');
agreesWithAjv('2025-06-18');
agreesWithAjv('2026-07-28');
