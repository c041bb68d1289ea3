import type { Rule } from './rule.js';

/** Rules about the input, and about what has to be given to check it. */
export const INPUT = {
  'not-json': {
    severity: 'error',
    requirements: ['BASE-MSG-1'],
    rule: 'Each value in the input is JSON, in UTF-8.',
  },
  'utf-16': {
    severity: 'warning',
    requirements: ['BASE-MSG-1'],
    rule: 'The input is in UTF-8. UTF-16 is converted.',
  },
  'bad-gzip': {
    severity: 'error',
    requirements: [],
    rule: 'A gzip input is whole, nothing follows it, and beyond 256 MiB it unpacks to at most 200 times its size.',
  },
  'too-large': {
    severity: 'error',
    requirements: [],
    rule: 'A message has at most 32 MiB and four million objects and arrays.',
  },
  'no-revision': {
    severity: 'unclear',
    requirements: [],
    rule: 'Some message or `--revision` gives the revision.',
  },
  'no-sender': {
    severity: 'unclear',
    requirements: [],
    rule: 'The tag, the method or `--from` gives the sender.',
  },
  'no-messages': {
    severity: 'warning',
    requirements: [],
    rule: 'The input contains a message. It is an error where the input contains other lines.',
  },
} as const satisfies Record<string, Rule>;
