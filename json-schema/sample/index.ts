export { textsMatching } from './matching.js';
export { repaired } from './repair.js';
export { createSampler, sample, together } from './samples.js';
export type { Sampler } from './samples.js';
