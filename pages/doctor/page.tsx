import { SECTIONS, statusOf, summaryOf } from '../../contracts/doctor/index.js';
import type { Examination, Finding, Section } from '../../contracts/doctor/index.js';
import { framePage, many, WithCode } from '../toolkit/index.js';
import type { Assets } from '../toolkit/index.js';

/** The name of the command in a page. */
export const DOCTOR = 'doctor --report';

const ENDS = { good: 'good', bad: 'faults', warn: 'warnings', none: 'not examined' } as const;

/** The text of one HTML file that shows what was found out about a server, and loads nothing. */
export function doctorPage(examination: Examination, assets: Assets): string {
  const { server, name, messages, seed } = examination;
  const sections = Object.keys(SECTIONS) as Section[];
  return framePage(
    {
      command: DOCTOR,
      title: `${name ?? server} – MCP server`,
      header: (
        <>
          <h1>{name ?? server}</h1>
          <p class="quiet">
            <code>{server}</code>, examined by {many(messages, 'message')}; calls drawn with{' '}
            <code>--seed {seed}</code>
          </p>
          <nav aria-label="Sections">
            <ul>
              {sections.map((section) => (
                <li>
                  <a href={`#${section}`}>{SECTIONS[section]}</a>{' '}
                  <Mark section={section} examination={examination} />
                </li>
              ))}
            </ul>
          </nav>
        </>
      ),
      main: sections.map((section) => <Part section={section} examination={examination} />),
    },
    assets,
  );
}

interface PartProps {
  readonly section: Section;
  readonly examination: Examination;
}

function Mark({ section, examination }: PartProps) {
  const status = statusOf(section, examination);
  return <span class={`badge ${status}`}>{ENDS[status]}</span>;
}

function Part({ section, examination }: PartProps) {
  const own = examination.findings.filter((each) => each.section === section);
  return (
    <section id={section} aria-labelledby={`${section}-title`}>
      <h2 id={`${section}-title`}>
        {SECTIONS[section]} <Mark section={section} examination={examination} />
      </h2>
      <p>{summaryOf(section, examination)}</p>
      {section === 'protocol' && <Revisions {...examination} />}
      {section === 'hosts' && examination.verdicts.length > 0 && <Hosts {...examination} />}
      {own.length > 0 && <ul class="findings">{own.map(asItem)}</ul>}
    </section>
  );
}

function Revisions({ revisions }: Examination) {
  return (
    <ul class="revisions">
      {revisions.map(({ revision, accepted }) => (
        <li class={accepted ? 'good' : 'quiet'}>
          {revision}: {accepted ? 'accepted' : 'not accepted'}
        </li>
      ))}
    </ul>
  );
}

function Hosts({ verdicts }: Examination) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Hosts">
      <table>
        <thead>
          <tr>
            <th scope="col">Host</th>
            <th scope="col">Tools</th>
            <th scope="col">By reports</th>
          </tr>
        </thead>
        <tbody>
          {verdicts.map(({ name, verdict, tools, reported }) => (
            <tr>
              <th scope="row">{name}</th>
              <td class={verdict === 'works' ? 'good' : 'alarm'}>
                {verdict === 'affected' ? `${many(tools, 'tool')} affected` : verdict}
              </td>
              <td>{reported === 0 ? '–' : many(reported, 'rule')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function asItem({
  severity,
  code,
  message,
  requirement = [],
  count,
  evidence,
  place,
  revisions,
}: Finding) {
  return (
    <li>
      <p>
        <span class={`badge ${severity}`}>{severity}</span> <WithCode text={message} />{' '}
        <span class="quiet">
          {[code, ...requirement, ...(count > 1 ? [`${String(count)} times`] : [])].join(', ')}
          {revisions && ` (${revisions.join(', ')})`}
        </span>
      </p>
      {evidence.length > 0 && <pre tabIndex={0}>{evidence.join('\n')}</pre>}
      {place !== undefined && (
        <p>
          <a href={place}>{place}</a>
        </p>
      )}
    </li>
  );
}
