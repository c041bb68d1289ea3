import { decode } from '@mcp-codegen/runtime/2025-11-25/validators';

/** What the page shows about a message. */
export interface Verdict {
  readonly title: string;
  /** One line an error; empty for a valid message. */
  readonly errors: readonly string[];
}

/** Checks the text of a message. The validators use no eval, so a strict content policy allows them. */
export function verdictOn(text: string, from: 'client' | 'server'): Verdict {
  const received = decode(text, { from });
  if (!received.ok) {
    return {
      title: `Invalid: answer with ${String(received.code)}`,
      errors: received.errors.map(({ message }) => message),
    };
  }
  switch (received.kind) {
    case 'request': {
      const request = received.value;
      // `method` tells the requests apart, so `params` has the type of a tool call here.
      if (request.method === 'tools/call') return valid(`call of the tool ${request.params.name}`);
      return valid(`request ${request.method}`);
    }
    case 'notification':
      return valid(`notification ${received.value.method}`);
    case 'response':
      return valid(`answer to request ${String(received.value.id)}`);
    case 'error':
      return valid(`error ${String(received.value.error.code)}`);
  }
}

function valid(what: string): Verdict {
  return { title: `Valid: ${what}`, errors: [] };
}
