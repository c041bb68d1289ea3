import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/server';

/** An error that the SDK sends to the client with this code, message and data. */
export function rpcError(code: number, message: string, data?: unknown): ProtocolError {
  return new ProtocolError(code, message, data);
}

/** The reason with which the SDK aborts the signals of requests whose connection has closed. */
export function connectionClosed(): Error {
  return new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
}
