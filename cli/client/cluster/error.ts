/** Why a cluster does not run. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';

  constructor(
    message: string,
    /** What to do. */
    readonly help?: string,
    /** `usage`: the folder, the options or the project; `failed`: a process of the cluster. */
    readonly kind: 'usage' | 'failed' = 'usage',
  ) {
    super(message);
  }
}
