/** What examined something, with its rules. */
export interface SarifDriver {
  readonly name: string;
  readonly version: string;
  readonly rules: readonly object[];
}

/** A log of SARIF 2.1.0, as code scanning of GitHub and editors read it. */
export function sarifLog(driver: SarifDriver, results: readonly object[]): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, results }],
  };
}

/** The URI of a file, relative to the folder in which the command was run, as the path was given. */
export function sarifUri(path: string): string {
  return path.split(/[\\/]/).map(encodeURIComponent).join('/');
}
