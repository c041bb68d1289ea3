/** In place of the checks that the golden module of tools imports. */
export const toolChecks: ReadonlyMap<
  string,
  { readonly input: (value: unknown) => Verdict; readonly output?: (value: unknown) => Verdict }
> = new Map();

interface Verdict {
  readonly ok: boolean;
}
