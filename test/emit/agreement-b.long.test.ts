import { agreesWithAjv } from './agreement.js';

agreesWithAjv('2025-03-26');
agreesWithAjv('2025-11-25');
agreesWithAjv('ext-tasks');
