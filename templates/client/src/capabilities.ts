import type { DeclaredCapabilities } from '@mcp-codegen/runtime/client';
import { EXTENSION_ID } from '@mcp-codegen/runtime/ext-tasks/protocol';

/**
 * What this client declares to servers. Servers may ask for nothing else, and the client answers
 * nothing else. `prompter.ts` has a handler for each question that is allowed here.
 */
export const CAPABILITIES = {
  // @when elicitation
  elicitation: {
    // @when elicitation-form
    form: {},
    // @when elicitation-url
    url: {},
  },
  // @when sampling
  sampling: {},
  // @when roots
  roots: {},
  /**
   * The server may run its questions as tasks, in the core dialect.
   *
   * @when receiver
   */
  tasks: {
    list: {},
    cancel: {},
    requests: {
      // @when elicitation-tasks
      elicitation: { create: {} },
      // @when sampling-tasks
      sampling: { createMessage: {} },
    },
  },
  /**
   * Tool calls may become tasks, in revision 2026-07-28. The core dialect needs no declaration for that.
   *
   * @when tasks-extension
   */
  extensions: { [EXTENSION_ID]: {} },
} as const satisfies DeclaredCapabilities;
