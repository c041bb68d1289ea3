import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  CALLS,
  examine,
  examinationAsMarkdown,
  examinationAsText,
} from '../../contracts/doctor/index.js';
import type { Examination, Finding } from '../../contracts/doctor/index.js';
import { PROTOCOLS } from '../../contracts/protocols/protocols.js';
import { printable, quote } from '../../json-schema/text.js';
import { DOCTOR, doctorPage } from '../../pages/doctor/index.js';
import { readAssets } from '../assets.js';
import { CONNECTION_OPTIONS, reportOf, SERVER_COMMAND, serverNames } from '../calling.js';
import type { CallingArguments, Work } from '../calling.js';
import { defineCommand } from '../command.js';
import { DEFAULT_LOCK } from '../config/index.js';
import { EXIT, UsageError } from '../exit.js';
import type { ExitCode } from '../exit.js';
import type { Io } from '../io.js';
import { assertReportPath, writeReport } from '../report-file.js';
import { changesSince } from '../doctor-lock.js';

const text = { type: 'string', requiresArg: true } as const;

/** Milliseconds for an answer, unless --timeout is shorter. */
const PATIENCE = 3_000;
/** Milliseconds in which a server accepts or refuses a revision, after it has been connected to once. */
const FOR_OTHERS = 5_000;

export const doctorCommand = defineCommand({
  examples: [
    ['doctor https://example.com/mcp', 'a running server'],
    ['doctor -- npx my-server', 'one that this command starts'],
    ['doctor --calls all -- node server.js', 'also call tools that may write'],
    ['doctor prod --report doctor.html', 'also write a page'],
    ['doctor --markdown -- node server.js > doctor.md', 'for a pull request'],
  ],
  positionals: {
    server: { type: 'string', describe: 'URL or name of a server (default: MCP_SERVER)' },
  },
  verbatim: SERVER_COMMAND,
  valuesIn: { server: serverNames },
  options: {
    calls: {
      choices: CALLS,
      requiresArg: true,
      describe:
        'The tools to call: those that say that they only read, all, or none (default: read-only)',
    },
    seed: { ...text, describe: 'A whole number that selects the arguments of calls (default: 0)' },
    lock: {
      ...text,
      describe: `The lock to compare with (default: ${DEFAULT_LOCK}, if it is there)`,
    },
    'write-lock': { type: 'boolean', describe: 'Write the lock, after the comparison' },
    report: { ...text, describe: 'Also write a page to this file' },
    markdown: { type: 'boolean', describe: 'Markdown on stdout', conflicts: 'json' },
    ...CONNECTION_OPTIONS,
  },
  run: async (args, io) => {
    const { calls = 'read-only', markdown = false } = args;
    const seed = wholeOf(args.seed ?? '0');
    const lock = lockOf(args.lock, args.writeLock === true, io);
    const { report } = args;
    if (report !== undefined) assertReportPath(report, [lock], io.cwd, DOCTOR);
    const examination = await examined({ ...args, noInput: true }, io, { calls, seed });
    const isWritten = args.writeLock === true;
    const whole = await changesSince(
      examination,
      { lock, isNamed: args.lock !== undefined, isWritten, args },
      io,
    );
    if (report !== undefined) {
      writeReport(report, doctorPage(whole, readAssets('doctor')), io.cwd);
      io.err.write(`Report: ${printable(report)}\n`);
    }
    return {
      exitCode: exitCodeOf(whole.findings),
      data: whole,
      text: (paint) => (markdown ? examinationAsMarkdown(whole) : examinationAsText(whole, paint)),
    };
  },
});

type Choices = Pick<Parameters<typeof examine>[0], 'calls' | 'seed'>;

async function examined(args: CallingArguments, io: Io, choices: Choices): Promise<Examination> {
  let examination: Examination | undefined;
  const work: Work = async (session, client) => {
    const target = { ...(await session.target()), viewpoint: client.viewpointOf() };
    const location = await session.location();
    const { settings } = session;
    const token = settings.token?.value;
    const secrets = [...Object.values(settings.headers), ...(token === undefined ? [] : [token])];
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    examination = await examine({
      ...choices,
      server: client.shownServer(location),
      ...('url' in location && {
        http: { url: location.url, headers: { ...settings.headers, ...authorization } },
      }),
      secrets,
      protocols: PROTOCOLS,
      patience: Math.min(PATIENCE, settings.timeout ?? PATIENCE),
      open: (revision, watch, job) =>
        session.with(
          {
            ...target,
            through: (transport) => watch.through(transport),
            ...(revision && {
              revision,
              timeout: Math.min(FOR_OTHERS, settings.timeout ?? FOR_OTHERS),
            }),
          },
          job,
        ),
    });
    return { end: 'done', text: '', data: {} };
  };
  await reportOf(args, quiet(io), work);
  if (!examination) throw new Error('No examination');
  return examination;
}

/** What a server prints would stand between the findings. The error of a failed connection quotes it. */
function quiet(io: Io): Io {
  return { ...io, err: { ...io.err, write: () => undefined, canRedraw: true } };
}

/** An absolute path. A lock that is named is there, or will be written. @throws {UsageError} */
function lockOf(named: string | undefined, isWritten: boolean, { cwd }: Io): string {
  const path = resolve(cwd, named ?? DEFAULT_LOCK);
  if (named === undefined || isWritten || existsSync(path)) return path;
  throw new UsageError(`There is no lock ${quote(named)}.`, 'Add --write-lock to write it.');
}

function wholeOf(written: string): number {
  if (/^\d{1,9}$/.test(written)) return Number(written);
  throw new UsageError(
    `--seed is ${quote(written)}, not a whole number of at most 9 digits.`,
    'Give a number from 0, for example --seed 7.',
  );
}

/** As `validate`, `lint` and `lock --check`: what breaks the protocol comes before all else. */
function exitCodeOf(findings: readonly Finding[]): ExitCode {
  const has = (severity: Finding['severity'], isProtocol?: boolean): boolean =>
    findings.some(
      (each) =>
        each.severity === severity &&
        (isProtocol === undefined || (each.section === 'protocol') === isProtocol),
    );
  if (has('error', true)) return EXIT.invalid;
  if (has('error', false)) return EXIT.stale;
  return has('unclear') ? EXIT.usage : EXIT.done;
}
