/** What the board answers, as `runtime/board/api.ts` makes it. Times are RFC 3339. */
export interface Row {
  readonly id: string;
  readonly status: string;
  readonly protocolStatus?: string;
  readonly tool?: string;
  readonly owner: string;
  readonly method: string;
  readonly statusMessage?: string;
  readonly progress?: { readonly progress: number; readonly total: number };
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A part of the list. */
export interface Found {
  readonly tasks: readonly Row[];
  /** Where the next part starts; absent at the end. */
  readonly next?: string;
}

export interface Counts {
  readonly counts: Readonly<Record<string, number>>;
  /** Milliseconds after which the board counts again. */
  readonly nextMs: number;
}

/** A text of a client, a user or a handler: its size, and the text itself when the page asked for it. */
export interface Payload {
  readonly bytes?: number;
  readonly text?: string;
  readonly isCut?: boolean;
}

export interface Step extends Payload {
  readonly name: string;
  readonly attempt: number;
  readonly finished?: boolean;
  readonly until?: string;
  readonly at?: string;
}

export interface Question {
  readonly key: string;
  readonly method: string;
  readonly answered: boolean;
  readonly withdrawn?: boolean;
  readonly params: Payload;
  readonly answer?: Payload;
}

export interface Task extends Row {
  readonly caller?: {
    readonly subject: string;
    readonly issuer: string;
    readonly client: string;
    readonly scopes: readonly string[];
  };
  readonly dialect: string;
  readonly attempt: number;
  readonly worker?: string;
  readonly queued?: boolean;
  readonly queuedUntil?: string;
  readonly expiresAt: string;
  readonly traceId?: string;
  readonly retryOf?: string;
  readonly retriedAs?: string;
  readonly history: readonly {
    readonly status: string;
    readonly attempt: number;
    readonly at: string;
  }[];
  readonly request: Payload;
  readonly steps: readonly Step[];
  readonly input: readonly Question[];
  readonly outcome?: Payload;
  readonly mayCancel: boolean;
  readonly mayRetry: boolean;
}

/** One task, and whether the page may ask for payloads. */
export interface Details {
  readonly task: Task;
  readonly payloads: boolean;
}
