import { ERROR_CODES } from '../../protocol/index.js';

/** The statuses of errors with which a server refuses a request before a handler sees it. */
const OF_REFUSALS: Readonly<Record<number, number | undefined>> = {
  [ERROR_CODES.ParseError]: 400,
  [ERROR_CODES.InvalidRequest]: 400,
  [ERROR_CODES.MethodNotFound]: 404,
  [ERROR_CODES.UnsupportedProtocolVersion]: 400,
  [ERROR_CODES.MissingRequiredClientCapability]: 400,
  [ERROR_CODES.HeaderMismatch]: 400,
};

/** Invalid params are an answer like others. */
export function statusOfRefusal(code: unknown): number {
  return OF_REFUSALS[Number(code)] ?? 200;
}

/** Errors of handlers are answers, save this one, whose status the specification names. */
export function statusOfError(code: unknown): number {
  return code === ERROR_CODES.MissingRequiredClientCapability ? 400 : 200;
}
