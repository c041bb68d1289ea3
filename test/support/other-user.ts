const UNPRIVILEGED = 65_534;

/** Runs the work as another user where the tests run as root, for whom permissions do not hold. */
export async function asOtherUser<T>(work: () => T | Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return await work();
  process.seteuid?.(UNPRIVILEGED);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
