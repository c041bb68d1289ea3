/** What a request gets, apart from the stream of changes. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function json(value: unknown, status = 200): Answer {
  return { status, type: 'application/json', body: JSON.stringify(value) };
}

/** `reason` is for programs: a `TaskErrorReason`, or `refused` by default. */
export function refusal(
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
  reason = 'refused',
): Answer {
  return { ...json({ error: { reason, message } }, status), ...(headers && { headers }) };
}

/** A request that cannot be answered as it was made. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';

  constructor(
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}
