import type { Host } from '../rule.js';

const READ = '2026-11-25';

export const copilot: Host = {
  id: 'copilot',
  name: 'GitHub Copilot CLI',
  rules: [
    {
      check: 'object-without-properties',
      effect: 'breaks-all',
      says: 'With models of OpenAI every prompt fails.',
      source: 'https://github.com/github/copilot-cli/issues/1825',
      read: READ,
    },
    {
      check: 'tool-name',
      pattern: '^[a-zA-Z0-9_-]{1,128}$',
      effect: 'breaks-all',
      says: 'Every prompt fails.',
      source: 'https://github.com/github/copilot-cli/issues/1879',
      read: READ,
    },
    {
      check: 'type',
      id: 'type-list',
      kind: 'list',
      effect: 'breaks-all',
      says: 'With models of Google every prompt fails when an array has such items.',
      source: 'https://github.com/github/copilot-cli/issues/4623',
      read: READ,
    },
    {
      check: 'enum-type',
      accepts: ['string'],
      effect: 'breaks-all',
      says: 'With models of Google every prompt fails.',
      source: 'https://github.com/github/copilot-cli/issues/4835',
      read: READ,
    },
  ],
};
