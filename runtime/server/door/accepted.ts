import type { AuthInfo } from '@modelcontextprotocol/server';

import type { JsonObject } from '../../tasks/index.js';

/** A request that the door has accepted. */
export interface Accepted {
  readonly id: string | number;
  readonly method: string;
  readonly message: JsonObject & { readonly method: string };
  /** As handlers get them: without what only the wire needs. */
  readonly params: JsonObject;
  readonly inputResponses: JsonObject | undefined;
  readonly meta: JsonObject | undefined;
  /** What a request of 2026-07-28 says about its client. */
  readonly envelope: JsonObject | undefined;
  readonly sessionId: string | undefined;
  readonly authInfo: AuthInfo | undefined;
}
