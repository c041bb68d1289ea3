import * as schemas from '@modelcontextprotocol/core';
import type { Contender, Inputs } from '../contender.js';
import { alongItsPath } from './sdk.js';

/** The server's own schemas of one revision are not exported: these are those it publishes. */
export function open({ rules }: Inputs): Promise<Contender> {
  return Promise.resolve(alongItsPath(schemas, rules, 2));
}
