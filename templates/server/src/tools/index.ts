import { bookRoom } from './book-room.js';
import { countPrimes } from './count-primes.js';
import { countWords } from './count-words.js';
import { findOrder } from './find-order.js';

/** The tools of the server. */
export const tools = [countWords, countPrimes, bookRoom, findOrder];
