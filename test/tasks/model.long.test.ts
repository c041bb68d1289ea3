import { it } from 'vitest';

import { STORE_KINDS } from '../support/stores.js';
import { checkAgainstModel } from './model.js';
import { sized } from '../support/size.js';

it.each(STORE_KINDS)('the engine answers many random commands as the model does ($name)', (kind) =>
  checkAgainstModel(kind, sized(kind.durable ? 150 : 2_500)),
);
