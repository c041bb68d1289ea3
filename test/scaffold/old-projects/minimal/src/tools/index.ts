import { countWords } from './count-words.js';

/** What the server offers. */
export const tools = [countWords];
