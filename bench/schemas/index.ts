import type { Bench } from '../bench.js';
import { toolArguments } from './arguments.js';
import { declarations } from './declarations.js';
import { room } from './room.js';

/** The rows of the schemas of tools. */
export const schemaBenches: readonly Bench[] = [toolArguments, declarations, room];
