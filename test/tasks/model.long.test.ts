import { it } from 'vitest';

import { STORE_KINDS } from '../support/stores.js';
import { checkAgainstModel } from './model.js';

it.each(STORE_KINDS)('the engine answers many random commands as the model does ($name)', (kind) =>
  checkAgainstModel(kind, kind.durable ? 300 : 5_000),
);
