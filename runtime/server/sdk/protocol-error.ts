import { ProtocolError } from '@modelcontextprotocol/server';

/** An error that the SDK sends to the client with this code, message and data. */
export function rpcError(code: number, message: string, data?: unknown): ProtocolError {
  return new ProtocolError(code, message, data);
}
