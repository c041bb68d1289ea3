import { createMemoryStore } from '../stores/memory/index.js';
import type { StorePart } from './parts.js';

/** Tasks live in the memory of the process, and end with it. */
export function memory(): StorePart {
  return { settings: {}, hints: {}, open: () => createMemoryStore() };
}
