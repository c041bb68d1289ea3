import { it } from 'vitest';

import { STORE_KINDS } from '../support/stores.js';
import { checkAgainstModel } from './model.js';

it.each(STORE_KINDS)(
  'SEC-1 CORE-LST-2 CORE-LIFE-1 the engine answers random commands as the model does ($name)',
  (kind) => checkAgainstModel(kind, kind.durable ? 8 : 150),
  60_000,
);
