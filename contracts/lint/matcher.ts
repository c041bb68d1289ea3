import { PLAIN } from '../../generator/diagnostics/index.js';
import { lintTools } from './lint.js';
import { findingsAsText } from './text.js';

/**
 * Matchers for vitest, and for others that extend `expect` alike:
 *
 * ```ts
 * import { hostMatchers } from 'mcp-codegen/lint';
 *
 * expect.extend(hostMatchers);
 * expect(tools).toSuitHosts(['claude', 'vscode']);
 * ```
 */
export const hostMatchers = {
  /** `tools` are those of a `tools/list`; `hosts` and `ignore` as of `lintTools`. */
  toSuitHosts(
    tools: readonly unknown[],
    hosts?: readonly string[],
    ignore: readonly string[] = [],
  ): { readonly pass: boolean; readonly message: () => string } {
    const findings = lintTools(tools, { ignore, ...(hosts !== undefined && { hosts }) });
    return {
      pass: findings.length === 0,
      message: () =>
        findings.length === 0
          ? 'Every host takes these tools as they are.'
          : findingsAsText(findings, PLAIN, { all: true }),
    };
  },
};
