import type { Evidence, Grade } from '../rule.js';

const READ = '2026-11-29';

const graded =
  (grade: Grade) =>
  (url: string, dated?: string): Evidence => ({
    grade,
    url,
    ...(dated !== undefined && { dated }),
    read: READ,
  });

/** What the vendor of the host publishes: pages, changelogs, specifications. */
export const document = graded('document');
/** Code of the vendor, at the version of that day. */
export const source = graded('source');
/** A thread in the vendor's tracker that the vendor or a second person reproduced. */
export const tracker = graded('tracker');
/** What others say. */
export const report = graded('report');

/** How llama.cpp makes a grammar of a schema. */
export const LLAMA_GRAMMAR = source(
  'https://github.com/ggml-org/llama.cpp/blob/011c6c3c305634c65886cf7f32805907f667590c/common/json-schema-to-grammar.cpp',
);
