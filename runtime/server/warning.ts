/** Tells the operator of a risk, while nothing fails. `onError` gets it too. */
export class Warning extends Error {
  override readonly name = 'Warning';
}
