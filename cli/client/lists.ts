import { CallError } from '../../runtime/client/index.js';
import { ERROR_CODES } from '../../runtime/protocol.js';

/** `none` where the server has no such list: some declare resources, and have no templates. */
export async function listOr<T>(none: T, list: () => Promise<T>): Promise<T> {
  try {
    return await list();
  } catch (error) {
    const isMissing =
      error instanceof CallError &&
      error.failure.reason === 'rpc_error' &&
      error.failure.error.code === ERROR_CODES.MethodNotFound;
    if (isMissing) return none;
    throw error;
  }
}
