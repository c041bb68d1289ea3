import { statusOf } from '../../runtime/client/index.js';
import type { TaskClient } from '../../runtime/client/index.js';
import { PROTOCOL_VERSIONS, REVISIONS } from '../../runtime/protocol.js';
import type { RevisionVersion } from '../../runtime/protocol.js';
import { many } from '../../generator/diagnostics/index.js';
import { lintTools } from '../lint/index.js';
import type { Finding as LintFinding, HostVerdict } from '../lint/index.js';
import { Library } from '../validate/index.js';
import type { Protocols } from '../validate/index.js';
import { Deadline, Lost } from './ask.js';
import type { Probing } from './ask.js';
import { readLists } from './lists.js';
import type { Lists } from './lists.js';
import { Findings, NEWEST } from './model.js';
import type { Calls, Examination, Section } from './model.js';
import { probe } from './probes.js';
import type { Probed } from './probes.js';
import { readiness } from './ready.js';
import { judgeExposure } from './safe.js';
import { createShow } from './shown.js';
import type { Show } from './shown.js';
import { judgeTexts } from './texts.js';
import { judgeTools, reportJudged } from './verdicts.js';
import { Watch } from './watch.js';

export interface Examining {
  /** As it is shown. */
  readonly server: string;
  /** Where the server is reached over HTTP, with what identifies the caller. */
  readonly http?: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  /** What is sent beside messages, and is not shown. */
  readonly secrets: readonly string[];
  readonly protocols: Protocols;
  readonly calls: Calls;
  readonly seed: number;
  /** Milliseconds for each answer. */
  readonly patience: number;
  /**
   * Connects for as long as the work takes: in one revision alone, or else in the newest that both sides know.
   * @throws an error when there is no connection, or that of the work.
   */
  readonly open: <T>(
    revision: RevisionVersion | undefined,
    watch: Watch,
    work: (client: TaskClient) => Promise<T>,
  ) => Promise<T>;
}

/** Milliseconds for the probes of the newest revision, and for the lists in another one. */
const FOR_PROBES = 6_000;
const FOR_LISTS = 2_000;
/** Refusals of a caller whom the server does not know. */
const UNIDENTIFIED = [401, 403];

/** What the first session has shown. */
interface First {
  readonly revision: RevisionVersion;
  readonly name: string | undefined;
  readonly lists: Lists;
  readonly probed: Probed;
  readonly instructions: string | undefined;
}

/**
 * Examines a server: in the newest revision that it accepts all of it, in the others its lists. It calls the tools that
 * `calls` allows, and no others. It never throws for what a server does after its first message.
 */
export async function examine(examining: Examining): Promise<Examination> {
  const { server, http, seed, secrets } = examining;
  const findings = new Findings();
  const show = createShow(secrets);
  const library = new Library(examining.protocols);
  const watch = new Watch(library);
  const summaries: Partial<Record<Section, string>> = {};
  const first = await firstSession(examining, { findings, show, watch });
  let messages = watch.messages;
  const accepted = new Set<RevisionVersion>(first ? [first.revision] : []);
  for (const revision of first ? olderThan(first.revision) : []) {
    const other = new Watch(library);
    if (await accepts(revision, other, examining, { findings, show })) accepted.add(revision);
    messages += other.messages;
  }
  let verdicts: readonly HostVerdict[] = [];
  if (first) {
    const { lists, revision } = first;
    summaries.protocol = sayProtocol([...accepted], lists, first.probed);
    const lint = lintOf(lists.tools);
    verdicts = judgeTools(lint, findings);
    const works = verdicts.filter(({ verdict }) => verdict === 'works').length;
    summaries.hosts =
      lists.tools.length === 0
        ? 'it has no tools'
        : `works in ${String(works)} of ${many(verdicts.length, 'host')}`;
    summaries.ready =
      revision === NEWEST
        ? 'the server accepts it'
        : 'clients of that revision alone cannot use the server';
    const texts = {
      show,
      report: (found: object) => findings.add({ section: 'safe', ...found } as never),
    };
    judgeAllTexts(first, texts);
    summaries.safe = 'its texts were read';
  }
  if (http && watch.kind !== 'sse') {
    const said = await judgeExposure({
      ...http,
      revision: first?.revision,
      sessions: [...accepted].find((each) => REVISIONS[each].dialect === 'core'),
      patience: examining.patience,
      show,
      report: (found) => findings.add({ section: 'safe', ...found }),
    });
    summaries.safe = said;
  }
  return {
    server,
    name: first?.name,
    revisions: PROTOCOL_VERSIONS.map((revision) => ({
      revision,
      accepted: accepted.has(revision),
    })),
    lists: first && countsOf(first.lists),
    messages,
    calls: first?.probed.calls ?? 0,
    seed,
    summaries,
    verdicts,
    changes: undefined,
    findings: findings.sorted,
  };
}

interface Reporting {
  readonly findings: Findings;
  readonly show: Show;
}

/** Undefined when there is no session. @throws the error of a connection on which no message came. */
async function firstSession(
  examining: Examining,
  { findings, show, watch }: Reporting & { readonly watch: Watch },
): Promise<First | undefined> {
  let first: First | undefined;
  try {
    await examining.open(undefined, watch, async (client) => {
      const probing = probingOf(client, watch, FOR_PROBES, examining, { findings, show });
      const { revision } = client;
      if (revision === undefined) return;
      const { info, instructions } = client.server;
      const lists = await readLists(probing).catch(lost(probing, NO_LISTS));
      const none = { calls: 0, called: 0, left: lists.tools.length, skipped: [] };
      const probed = await probe(probing, lists).catch(lost(probing, none));
      const name = info && `${info.name} ${info.version}`;
      first = { revision, name, lists, probed, instructions };
      const report = (found: object): void =>
        findings.add({ section: 'ready', severity: 'warning', ...found } as never);
      if (revision !== NEWEST) {
        await readiness(client, watch, { protocols: examining.protocols, show, report });
      }
      for (const what of probed.skipped) {
        const message = `The time ended before ${what}. Give a longer --timeout.`;
        probing.report({ severity: 'note', code: 'no-time', message });
      }
    });
  } catch (error) {
    await watch.settled();
    if (!(error instanceof Error)) throw error;
    noSession(error, watch, examining, { findings, show });
  }
  await watch.settled();
  reportJudged(watch, { findings, show });
  return first;
}

const NO_LISTS: Lists = { tools: [], prompts: [], resources: [], resourceTemplates: [] };

/** Reports the end of a connection. What was examined until then counts. */
function lost<T>({ report, watch, show }: Probing, rest: T): (error: unknown) => T {
  return (error) => {
    if (!(error instanceof Lost)) throw error;
    const last = watch.lastReceived;
    report({
      severity: 'error',
      code: 'ended',
      message: 'The server ended the connection during the examination.',
      evidence: [...watch.lastAsked.map((each) => show(each)), ...(last ? [show(last)] : [])],
    });
    return rest;
  };
}

/** @throws the error, where the server sent nothing that explains it. */
function noSession(
  error: Error,
  watch: Watch,
  { http }: Examining,
  { findings, show }: Reporting,
): void {
  const status = statusAt(error);
  const isStranger = http !== undefined && status !== undefined && UNIDENTIFIED.includes(status);
  if (watch.answered === 0 && watch.strays.length === 0 && !isStranger) throw error;
  const last = watch.lastReceived;
  findings.add({
    section: 'protocol',
    severity: isStranger ? 'unclear' : 'error',
    code: 'no-session',
    message: isStranger
      ? 'The server refuses the caller, so no session could be examined. Give a token, or log in.'
      : error.message,
    evidence: last ? [show(last)] : status === undefined ? [] : [`POST → HTTP ${String(status)}`],
  });
}

function statusAt(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  return statusOf(error) ?? statusAt(error.cause);
}

function probingOf(
  client: TaskClient,
  watch: Watch,
  most: number,
  { patience, calls, seed }: Examining,
  { findings, show }: Reporting,
): Probing {
  const revisions = client.revision === undefined ? [] : [client.revision];
  return {
    ...{ client, watch, patience, show, calls, seed },
    // A longer timeout is for a slow server.
    deadline: new Deadline(Math.max(most, patience * 2)),
    report: (found) => findings.add({ section: 'protocol', revisions, ...found }),
  };
}

function olderThan(revision: RevisionVersion): readonly RevisionVersion[] {
  return PROTOCOL_VERSIONS.slice(PROTOCOL_VERSIONS.indexOf(revision) + 1);
}

/** Whether the server accepts a revision that is offered alone. Its lists are read in that, too. */
async function accepts(
  revision: RevisionVersion,
  watch: Watch,
  examining: Examining,
  reporting: Reporting,
): Promise<boolean> {
  let isAccepted = false;
  try {
    await examining.open(revision, watch, async (client) => {
      isAccepted = true;
      const probing = probingOf(client, watch, FOR_LISTS, examining, reporting);
      await readLists(probing).catch(lost(probing, NO_LISTS));
    });
  } catch (error) {
    // It refuses the revision. What is wrong with its messages is reported below.
    if (!(error instanceof Error)) throw error;
  }
  await watch.settled();
  reportJudged(watch, reporting);
  return isAccepted;
}

function lintOf(tools: Lists['tools']): readonly LintFinding[] {
  try {
    return lintTools(tools);
  } catch {
    // A schema nests too deeply: the others are judged without its tool.
    return tools.flatMap((tool) => {
      try {
        return lintTools([tool]);
      } catch {
        return [];
      }
    });
  }
}

function judgeAllTexts(
  { lists, instructions }: First,
  about: Parameters<typeof judgeTexts>[3],
): void {
  const names = new Set(lists.tools.map(({ name }) => String(name)));
  for (const tool of lists.tools) judgeTexts('tool', tool, names, about);
  for (const prompt of lists.prompts) judgeTexts('prompt', prompt, names, about);
  if (instructions !== undefined) judgeTexts('instructions', instructions, names, about);
}

function countsOf(lists: Lists): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(lists).map(([name, entries]) => [name, entries.length]));
}

function sayProtocol(
  accepted: readonly string[],
  { tools, prompts, resources }: Lists,
  { calls, called, left }: Probed,
): string {
  const counts = [
    many(tools.length, 'tool'),
    many(prompts.length, 'prompt'),
    many(resources.length, 'resource'),
  ];
  const notCalled = left > 0 ? `, ${String(left)} not called` : '';
  return `${accepted.join(', ')}; ${counts.join(', ')}; ${many(calls, 'call')} of ${many(called, 'tool')}${notCalled}`;
}
