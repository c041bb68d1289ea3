import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { choose, SERVER } from '../../generator/scaffold/index.js';
import { assemble } from '../../runtime/program/assembly.js';
import { http, introspection, postgres } from '../../runtime/program/index.js';
import { readSettings } from '../../runtime/program/settings.js';
import { openWorkshop, type Workshop } from './workshop.js';

/** What `compose.yaml` and `deploy/` of a new server say, against what its program does. */

let workshop: Workshop;
let root: string;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

beforeAll(async () => {
  workshop = openWorkshop();
  const choices = choose(SERVER, { transport: 'http', store: 'postgres', auth: 'bearer' });
  root = await workshop.make({ name: 'shop', choices });
  expect(read('src/main.ts')).toContain('http({ auth: introspection() })');
  expect(read('src/main.ts')).toContain('postgres()');
});
afterAll(() => workshop.close());

function documents(path: string): unknown[] {
  return parseAllDocuments(read(path), { merge: true }).map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    return document.toJS() as unknown;
  });
}

const Texts = z.record(z.string(), z.string());
type Texts = z.output<typeof Texts>;

/** The parts of the project's program. */
const PROGRAM = assemble(
  {
    server: () => Promise.reject(new Error('This is not started')),
    project: new URL('file:///'),
    transport: http({ auth: introspection() }),
    store: postgres(),
  },
  {},
);
const Settings = z.looseObject({
  ROLE: z.string(),
  PORT: z.number(),
  DRAIN_MS: z.number(),
  CONCURRENCY: z.number(),
  DATABASE_SCHEMA: z.string(),
  MIGRATE_AT_START: z.boolean(),
});
type Settings = z.output<typeof Settings>;
const AUTHORIZATION = {
  AUTH_RESOURCE: 'https://mcp.example/mcp',
  AUTH_ISSUER: 'https://auth.example',
  AUTH_INTROSPECTION: 'https://auth.example/introspect',
  AUTH_CLIENT_ID: 'shop',
  AUTH_CLIENT_SECRET: 'secret',
};

/** The settings under an environment, whose names have to be those that the program reads. */
async function settingsOf(environment: Texts): Promise<Settings> {
  const names = Object.keys(environment).filter((name) => !name.startsWith('PG'));
  expect(Object.keys(PROGRAM.settings)).toEqual(expect.arrayContaining(names));
  const written = Object.entries(environment).filter(([, value]) => !value.startsWith('${'));
  const values = { ...AUTHORIZATION, ...Object.fromEntries(written) };
  return Settings.parse(await readSettings(PROGRAM.settings, values, ''));
}

/** The settings of a process that a command starts. */
async function startedBy(command: readonly string[], environment: Texts): Promise<Settings> {
  expect(read('Dockerfile')).toContain('CMD ["node", "dist/main.js"]');
  expect(command.slice(0, 3)).toEqual(['node', 'dist/main.js', '--role']);
  return await settingsOf({ ...environment, ROLE: command[3] ?? '' });
}

/** When the process ends after its drain, at the latest. */
const CLOSING_MS = 2_500;

describe('deploy/kubernetes.yaml', () => {
  const Any = z.looseObject({ kind: z.string(), metadata: z.object({ name: z.string() }) });

  /** The objects of a kind, which have to look like this. */
  function objects<T extends z.ZodType>(kind: string, type: T): z.output<T>[] {
    return documents('deploy/kubernetes.yaml')
      .map((each) => Any.parse(each))
      .filter((each) => each.kind === kind)
      .map((each) => type.parse(each));
  }
  const only = <T extends z.ZodType>(kind: string, type: T): z.output<T> => {
    const [found, ...others] = objects(kind, type);
    expect(others).toEqual([]);
    return found as z.output<T>;
  };
  const environment = (): Texts => only('ConfigMap', z.object({ data: Texts })).data;

  const Probe = z.looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }) });
  const Container = z.looseObject({
    args: z.array(z.string()),
    envFrom: z.array(z.unknown()),
  });
  const Node = Container.extend({
    ports: z.tuple([z.object({ name: z.string(), containerPort: z.int() })]),
    startupProbe: Probe,
    readinessProbe: Probe,
    livenessProbe: Probe,
    lifecycle: z
      .object({ preStop: z.object({ exec: z.object({ command: z.array(z.string()) }) }) })
      .optional(),
  });
  const Deployment = z.looseObject({
    metadata: z.object({ name: z.string() }),
    spec: z.looseObject({
      selector: z.object({ matchLabels: Texts }),
      template: z.object({
        metadata: z.object({ labels: Texts }),
        spec: z.object({
          terminationGracePeriodSeconds: z.int(),
          initContainers: z.tuple([Container]),
          containers: z.tuple([Node]),
        }),
      }),
    }),
  });

  it('has the objects of a cluster', () => {
    const names = documents('deploy/kubernetes.yaml').map((each) => Any.parse(each));
    expect(names.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'ConfigMap shop',
      'Deployment shop-web',
      'Deployment shop-worker',
      'Service shop',
      'PodDisruptionBudget shop-web',
      'PodDisruptionBudget shop-worker',
      'TriggerAuthentication shop',
      'ScaledObject shop-worker',
    ]);
  });

  it.each(['web', 'worker'])(
    'starts and stops the %s nodes as the program expects',
    async (role) => {
      const deployment = objects('Deployment', Deployment).find(
        ({ metadata }) => metadata.name === `shop-${role}`,
      );
      if (!deployment) throw new Error('No deployment');
      const { selector, template } = deployment.spec;
      expect(template.metadata.labels).toEqual(selector.matchLabels);
      const { terminationGracePeriodSeconds, initContainers, containers } = template.spec;
      const [node] = containers;
      const settings = await startedBy(node.args, environment());
      expect(settings).toMatchObject({ ROLE: role, MIGRATE_AT_START: false });
      expect(node.ports).toEqual([{ name: 'http', containerPort: settings.PORT }]);
      expect(read('Dockerfile')).toContain('ENV HOST=0.0.0.0');
      const { startupProbe, readinessProbe, livenessProbe } = node;
      expect([startupProbe, readinessProbe, livenessProbe].map((probe) => probe.httpGet)).toEqual([
        { path: '/health', port: 'http' },
        { path: '/health', port: 'http' },
        { path: '/health/live', port: 'http' },
      ]);
      const [sleep, seconds = '0'] = node.lifecycle?.preStop.exec.command ?? [];
      expect(sleep).toBe(role === 'web' ? 'sleep' : undefined);
      expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThanOrEqual(
        Number(seconds) * 1_000 + settings.DRAIN_MS + CLOSING_MS,
      );
      expect(initContainers[0].args).toEqual(['node', 'dist/main.js', 'migrate']);
      expect(initContainers[0].envFrom).toEqual(node.envFrom);
      const references = ['configMapRef', 'secretRef'].map((kind) => ({
        [kind]: { name: 'shop' },
      }));
      expect(node.envFrom).toEqual(references);
    },
  );

  it('sends clients to web nodes alone, each client to one of them', () => {
    const { spec } = only('Service', z.looseObject({ spec: z.looseObject({}) }));
    expect(spec).toMatchObject({
      selector: { app: 'shop', role: 'web' },
      sessionAffinity: 'ClientIP',
    });
  });

  it('has no secret', () => {
    const text = read('deploy/kubernetes.yaml').replaceAll(/^#.*$/gm, '');
    expect(text).not.toMatch(/postgres:\/\/|PASSWORD|CLIENT_SECRET/);
    const { spec } = only('TriggerAuthentication', z.looseObject({ spec: z.unknown() }));
    expect(spec).toEqual({
      secretTargetRef: [{ parameter: 'connection', name: 'shop', key: 'DATABASE_URL' }],
    });
  });

  it('scales the workers by the tasks that wait', async () => {
    const Scaled = z.looseObject({
      spec: z.looseObject({
        scaleTargetRef: z.object({ name: z.string() }),
        triggers: z.tuple([z.looseObject({ type: z.string(), metadata: Texts })]),
      }),
    });
    const { scaleTargetRef, triggers } = only('ScaledObject', Scaled).spec;
    expect(scaleTargetRef.name).toBe('shop-worker');
    const [{ type, metadata }] = triggers;
    expect(type).toBe('postgresql');
    expect(metadata['query']).toContain(`FROM ${(await settingsOf({})).DATABASE_SCHEMA}.tasks`);
    expect(Number(metadata['targetQueryValue'])).toBeLessThanOrEqual(
      (await settingsOf(environment())).CONCURRENCY,
    );
  });
});

describe('compose.yaml', () => {
  const Service = z.looseObject({
    command: z.array(z.string()).default([]),
    environment: Texts.default({}),
    depends_on: z.record(z.string(), z.unknown()).default({}),
    deploy: z.object({ replicas: z.int() }).default({ replicas: 1 }),
    stop_grace_period: z.string().default(''),
    ports: z.array(z.string()).default([]),
    volumes: z.array(z.string()).default([]),
  });
  const Compose = z.looseObject({
    services: z.record(z.string(), Service),
    volumes: z.record(z.string(), z.null()),
  });
  const compose = (): z.output<typeof Compose> => Compose.parse(documents('compose.yaml')[0]);

  it('depends on services and volumes that it has', () => {
    const { services, volumes } = compose();
    const names = Object.keys(services);
    for (const each of Object.values(services)) {
      expect(names).toEqual(expect.arrayContaining(Object.keys(each.depends_on)));
    }
    expect(services['postgres']?.volumes).toEqual(['tasks:/var/lib/postgresql']);
    expect(volumes).toEqual({ tasks: null });
  });

  it('has two web nodes and two workers, which end within their grace period', async () => {
    const nodes = Object.values(compose().services).filter(({ command }) =>
      command.includes('--role'),
    );
    const roles: string[] = [];
    for (const { command, environment, deploy, stop_grace_period } of nodes) {
      const { ROLE, DRAIN_MS, MIGRATE_AT_START } = await startedBy(command, environment);
      expect(MIGRATE_AT_START).toBe(false);
      expect(stop_grace_period).toMatch(/^\d+s$/);
      const grace = Number.parseInt(stop_grace_period) * 1_000;
      expect(grace).toBeGreaterThanOrEqual(DRAIN_MS + CLOSING_MS);
      roles.push(...Array.from({ length: deploy.replicas }, () => ROLE));
    }
    expect(roles).toEqual(['web', 'web', 'worker', 'worker']);
  });

  it('has the nodes of nginx.conf, and publishes the port of nginx on this machine alone', async () => {
    const site = read('deploy/nginx.conf');
    const { services } = compose();
    const upstreams = [...site.matchAll(/^ {2}server (\S+);$/gm)].map(([, address]) => address);
    expect(upstreams).toEqual(['web-1:3000', 'web-2:3000']);
    expect(Object.keys(services)).toEqual(expect.arrayContaining(['web-1', 'web-2']));
    expect((await settingsOf({})).PORT).toBe(3000);
    const [, port] = /listen (\d+);/.exec(site) ?? [];
    expect(services['proxy']?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  });

  it('takes every secret from .env, and does not start without one', () => {
    const secrets = Object.values(compose().services)
      .flatMap(({ environment }) => Object.entries(environment))
      .filter(([name]) => /PASSWORD|SECRET/.test(name));
    expect(secrets.length).toBeGreaterThan(0);
    for (const [, value] of secrets) expect(value).toMatch(/^\$\{(\w+):\?Set \1 in \.env\}$/);
    const listed = [...read('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const used = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    expect(listed).toEqual(expect.arrayContaining(used));
    expect(read('.gitignore').split('\n')).toContain('.env');
  });
});
