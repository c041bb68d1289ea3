import * as schemas from '@modelcontextprotocol/sdk/types.js';
import type { Contender, Inputs } from '../contender.js';
import { alongItsPath } from './sdk.js';

export function open({ rules }: Inputs): Promise<Contender> {
  return Promise.resolve(alongItsPath(schemas, rules, 3));
}
