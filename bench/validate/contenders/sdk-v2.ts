import * as schemas from '@modelcontextprotocol/core';
import type { Contender, Inputs } from '../contender.js';
import { alongItsPath } from './sdk.js';

/** The published schemas, because the server's schemas of one revision are not exported. */
export function open({ rules }: Inputs): Promise<Contender> {
  return Promise.resolve(alongItsPath(schemas, rules, 2));
}
