import { bookRoom } from './book-room.js';
import { countPrimes } from './count-primes.js';
import { countWords } from './count-words.js';
import { findOrder } from './find-order.js';

/** What the server offers. */
export const tools = [countWords, countPrimes, bookRoom, findOrder];
