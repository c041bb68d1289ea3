import { SEVERITIES } from '../findings/index.js';
import type { FindingKind, Recorder, Row, RowFinding } from '../findings/index.js';
import { FINDINGS } from '../../contracts/validate/index.js';
import type { FindingCode } from '../../contracts/validate/index.js';
import { many, sayNumber, WithCode } from '../toolkit/index.js';
import { nameOf, sayFinding } from './said.js';

/** Findings of one rule that are listed. */
const SHOWN = 10;
/** Rules up to which all are open. */
const OPEN = 3;

/** The findings by severity and rule, errors first, with links to their messages. */
export function Findings({ recorder }: { readonly recorder: Recorder }) {
  const { kinds, sample } = recorder;
  const found = sample.rows.flatMap((row) => row.findings.map((finding) => ({ row, finding })));
  const rank = ({ severity }: FindingKind): number => SEVERITIES.indexOf(severity);
  const rules = [...kinds.values()].sort((a, b) => rank(a) - rank(b) || b.count - a.count);
  return (
    <section id="findings" aria-labelledby="findings-title">
      <h2 id="findings-title">Findings</h2>
      {rules.length === 0 && <p>No message breaks a rule.</p>}
      {sample.droppedFindings > 0 && (
        <p class="notice">
          {many(sample.droppedFindings, 'message')} with findings are not in this report, because
          there are too many. The counts below contain them.
        </p>
      )}
      {rules.map((rule) => (
        <Rule
          {...rule}
          isOpen={rules.length <= OPEN}
          found={found.filter(
            ({ finding: { code, severity } }) => code === rule.code && severity === rule.severity,
          )}
        />
      ))}
    </section>
  );
}

interface Found {
  readonly row: Row;
  readonly finding: RowFinding;
}

interface RuleProps extends FindingKind {
  readonly isOpen: boolean;
  readonly found: readonly Found[];
}

function Rule({ code, severity, count, isOpen, found }: RuleProps) {
  return (
    <details class="rule" open={isOpen}>
      <summary>
        <span class={`severity ${severity}`}>{severity}</span> <code>{code}</code>{' '}
        <span class="amount">{sayNumber(count)} ×</span>{' '}
        <span class="quiet">
          <WithCode text={FINDINGS[code].rule} />
          {requirementsOf(code)}
        </span>
      </summary>
      <ul>
        {found.slice(0, SHOWN).map(asItem)}
        {count > SHOWN && (
          <li>
            <a href={`#finding=${code}`}>All messages that break this rule</a>
          </li>
        )}
      </ul>
    </details>
  );
}

function asItem({ row, finding }: Found) {
  const { pointer } = finding;
  return (
    <li>
      <a href={`#message=${String(row.number)}`}>{nameOf(row)}</a>{' '}
      {pointer !== '' && <code class="pointer">{pointer}</code>}{' '}
      <WithCode text={sayFinding(finding)} />
    </li>
  );
}

/** Their ids in `docs/requirements.md`. */
function requirementsOf(code: FindingCode): string {
  const ids: readonly string[] = FINDINGS[code].requirements;
  return ids.length > 0 ? ` [${ids.join(', ')}]` : '';
}
