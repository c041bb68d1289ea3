import { META_KEYS } from '../../runtime/protocol.js';
import { HANDSHAKES } from '../../runtime/rules/messages.js';
import { at, isRecord, textAt } from '../../contracts/validate/index.js';
import type {
  Checked,
  Counts,
  Finding,
  Kind,
  Party,
  Severity,
  Tally,
} from '../../contracts/validate/index.js';
import { Latency } from './latency.js';
import { Pairs } from './pairs.js';
import type { TimedRequest } from './pairs.js';
import type { Row } from './row.js';
import { Shower } from './rows.js';
import { LIMITS, Sample } from './sample.js';
import type { Limits } from './sample.js';
import { countFindings, noFindings } from './severity.js';
import type { FindingCounts } from './severity.js';
import { taskFacts } from './state.js';
import { Tasks } from './tasks.js';
import type { Moment } from './tasks.js';
import { Clock } from '../../contracts/validate/index.js';

export interface RecorderOptions {
  /** Whether passwords, tokens and answers in forms stand in the report. */
  readonly showSecrets: boolean;
  readonly limits?: Limits;
}

export interface Input {
  readonly name: string;
  readonly counts: Counts;
  readonly revisions: readonly string[];
  readonly clock: Clock['kind'];
  /** The names that client and server gave. */
  readonly parties: Partial<Record<Party, string>>;
}

/** The counts of one method, by what its messages are. */
export interface MethodCounts {
  readonly method: string;
  readonly kinds: Record<Kind, number>;
  readonly latency: Latency;
  readonly findings: FindingCounts;
}

const MOST_METHODS = 200;
const OTHERS = '(other methods)';
const MOST_SESSIONS = 1_000;

export interface FindingKind {
  readonly code: Finding['code'];
  readonly severity: Severity;
  readonly count: number;
}

/** Collects the messages of one or several recordings for a report, in bounded memory. */
export class Recorder {
  readonly inputs: Input[] = [];
  readonly methods = new Map<string, MethodCounts>();
  readonly findings = noFindings();
  /** Findings by code and severity, because a rule may be an error in newer revisions alone. */
  readonly kinds = new Map<string, FindingKind>();
  readonly tasks = new Tasks();
  readonly sessions: string[] = [];
  /** The number of masked values in the messages that were kept. */
  masked = 0;
  /** The number of messages with a time. */
  timed = 0;
  /** The number of answers that were recorded before their requests. */
  early = 0;
  start = Number.POSITIVE_INFINITY;
  end = Number.NEGATIVE_INFINITY;
  readonly sample: Sample;
  readonly shower: Shower;
  #file = '';
  #parties: Partial<Record<Party, string>> = {};
  #clock = new Clock();
  /** The number of messages in earlier files. */
  #before = 0;
  #notes = 0;
  #loose = new Set<Finding>();
  #pairs = new Pairs();
  #sessions = new Map<string, number>();

  constructor(readonly options: RecorderOptions) {
    this.sample = new Sample(options.limits ?? LIMITS);
    this.shower = new Shower(options.showSecrets);
  }

  begin(file: string): void {
    this.#file = file;
    this.#clock = new Clock();
    this.#parties = {};
  }

  /** Takes a finding. It belongs to the next message, or else to none. */
  finding(finding: Finding): void {
    this.findings[finding.severity] += 1;
    const { code, severity } = finding;
    const { count = 0 } = this.kinds.get(`${severity} ${code}`) ?? {};
    this.kinds.set(`${severity} ${code}`, { code, severity, count: count + 1 });
    this.#loose.add(finding);
  }

  message(judged: Checked): void {
    for (const finding of judged.findings) this.#loose.delete(finding);
    this.#takeLoose();
    const number = this.#before + judged.at + 1;
    const ms = this.#timeOf(judged);
    const request = this.#ask(judged, number, ms);
    const asked = this.#requestOf(judged);
    const answers = asked?.number;
    const checked = { ...judged, method: judged.method ?? asked?.method };
    if (asked?.ms !== undefined && ms !== undefined) this.#time(checked, ms - asked.ms);
    this.#count(checked);
    const about = this.#noteTask(checked, { number, ms }, asked?.task);
    if (request) request.task = about.task;
    const isFound = checked.findings.length > 0;
    if (!this.sample.wants({ number, answers, isFound, isChange: about.isChange })) return;
    const { masked, ...shown } = this.shower.message(checked, this.sample.budget);
    this.masked += masked;
    const row: Row = {
      ...shown,
      ...about,
      number,
      answers,
      ms,
      file: this.inputs.length,
      line: checked.line,
      from: checked.from,
      kind: checked.kind ?? 'note',
      session: this.#sessionOf(checked),
    };
    this.sample.add(row);
    if (request) request.row = row;
    // The request that became a task is about the task too.
    if (asked?.row) asked.row.task ??= about.task;
    this.#noteParty(checked);
  }

  finish(tally: Tally): void {
    this.#takeLoose();
    this.#before += tally.counts.messages;
    this.#pairs.clear();
    this.inputs.push({
      name: this.shower.name(this.#file),
      counts: { ...tally.counts },
      revisions: [...tally.revisions],
      clock: this.#clock.kind,
      parties: this.#parties,
    });
  }

  /** Makes rows of the findings that are not about a message. */
  #takeLoose(): void {
    for (const finding of this.#loose) {
      this.#notes += 1;
      const candidate = {
        number: -this.#notes,
        answers: undefined,
        isFound: true,
        isChange: false,
      };
      if (!this.sample.wants(candidate)) continue;
      const note = this.shower.note(finding);
      this.sample.add({
        ...EMPTY,
        number: -this.#notes,
        file: this.inputs.length,
        line: finding.line,
        label: note.text,
        findings: [note],
      });
    }
    this.#loose.clear();
  }

  #timeOf({ record }: Checked): number | undefined {
    const ms = this.#clock.read(record?.time);
    if (ms === undefined) return undefined;
    this.timed += 1;
    this.start = Math.min(this.start, ms);
    this.end = Math.max(this.end, ms);
    return ms;
  }

  #ask(checked: Checked, number: number, ms: number | undefined): TimedRequest | undefined {
    if (checked.kind !== 'request') return undefined;
    const asked: TimedRequest = { number, method: checked.method ?? '', ms, task: undefined };
    this.#pairs.ask(checked, asked);
    return asked;
  }

  #requestOf(checked: Checked): TimedRequest | undefined {
    const { kind, method = '' } = checked;
    if (kind !== 'response' && kind !== 'error') return undefined;
    const asked = this.#pairs.answer(checked);
    if (checked.answers === undefined) return asked;
    const known = this.#before + checked.answers + 1;
    if (asked?.number === known) return asked;
    return { number: known, method, ms: undefined, task: undefined };
  }

  #time({ method = '' }: Checked, took: number): void {
    if (took < 0) this.early += 1;
    else this.#countsOf(this.shower.name(method)).latency.add(took);
  }

  #count({ kind, method, findings }: Checked): void {
    const counts = this.#countsOf(this.shower.name(method ?? ''));
    if (kind) counts.kinds[kind] += 1;
    countFindings(counts.findings, findings);
  }

  #countsOf(method: string): MethodCounts {
    const name = this.methods.has(method) || this.methods.size < MOST_METHODS ? method : OTHERS;
    let counts = this.methods.get(name);
    if (!counts) {
      const kinds = { request: 0, notification: 0, response: 0, error: 0 };
      counts = { method: name, kinds, latency: new Latency(), findings: noFindings() };
      this.methods.set(name, counts);
    }
    return counts;
  }

  #noteTask(
    checked: Checked,
    moment: Moment,
    asked: number | undefined,
  ): Pick<Row, 'task' | 'status' | 'isChange'> {
    const facts = taskFacts(checked).map((fact) => ({
      ...fact,
      status: fact.status === undefined ? undefined : this.shower.name(fact.status),
    }));
    const file = this.inputs.length;
    const noted = facts.map((fact) => this.tasks.note(file, fact, moment));
    // A list of tasks is about none of them.
    const index = facts.length === 1 ? noted[0]?.task : facts.length === 0 ? asked : undefined;
    const task = index === undefined ? undefined : this.tasks.list[index];
    const isChange = noted.some((each) => each.isChange);
    if (!task) return { task: undefined, status: undefined, isChange };
    task.last = moment;
    task.messages += 1;
    countFindings(task.findings, checked.findings);
    const { kind, method = '', value } = checked;
    const isOrigin = task.origin === '' && kind === 'response' && !method.startsWith('tasks/');
    if (isOrigin) task.origin = this.shower.name(method);
    if (kind === 'request' && !method.startsWith('tasks/')) task.questions += 1;
    if (isChange && isRecord(at(value, 'result', 'inputRequests'))) task.questions += 1;
    return { task: index, status: facts[0]?.status, isChange };
  }

  #sessionOf({ record }: Checked): number | undefined {
    const { session } = record ?? {};
    if (typeof session !== 'string' && typeof session !== 'number') return undefined;
    const key = String(session).slice(0, 200);
    const known = this.#sessions.get(key);
    if (known !== undefined || this.sessions.length >= MOST_SESSIONS) return known;
    this.#sessions.set(key, this.sessions.length);
    return this.sessions.push(key) - 1;
  }

  #noteParty({ value, kind, method }: Checked): void {
    if (!HANDSHAKES.has(method)) return;
    const [side, part] =
      kind === 'request' ? (['client', 'params'] as const) : (['server', 'result'] as const);
    const name =
      textAt(value, part, `${side}Info`, 'name') ??
      textAt(value, 'params', '_meta', META_KEYS.clientInfo, 'name');
    if (name !== undefined) this.#parties[side] ??= this.shower.name(name);
  }
}

const EMPTY = {
  from: undefined,
  kind: 'note',
  method: '',
  id: '',
  answers: undefined,
  ms: undefined,
  session: undefined,
  task: undefined,
  status: undefined,
  isChange: false,
  progress: undefined,
  isQuestion: false,
  body: '',
  isCut: false,
} as const;
