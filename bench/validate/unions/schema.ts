/**
 * The schema of a build pipeline, written for the bench: a file of settings in which almost every value may be written in
 * several ways, like the workflow files of continuous integration. Its unions are of strings, lists and objects, nested in each
 * other, and few have a property that tells their members apart.
 */
type Schema = { readonly [key: string]: unknown };

const text: Schema = { type: 'string' };
const words: Schema = { type: 'array', items: text, minItems: 1 };
const textOrWords: Schema = { anyOf: [text, words] };
const scalar: Schema = { anyOf: [text, { type: 'number' }, { type: 'boolean' }] };
const expression: Schema = { type: 'string', pattern: '^\\$\\{\\{' };
const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });

function closed(properties: Schema, required: readonly string[] = []): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}

const EVENTS = [
  ...['push', 'pull_request', 'release', 'schedule', 'manual', 'tag', 'issue', 'comment'],
  ...['deployment', 'fork', 'label', 'milestone', 'page', 'registry', 'status', 'watch'],
];

const LEVELS = ['read', 'write', 'none'];

export const PIPELINE: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: {
    event: { enum: EVENTS },
    filter: closed({
      branches: textOrWords,
      'branches-ignore': textOrWords,
      tags: textOrWords,
      paths: textOrWords,
      'paths-ignore': textOrWords,
      types: textOrWords,
    }),
    variables: { anyOf: [{ type: 'object', additionalProperties: scalar }, expression] },
    permissions: {
      anyOf: [
        { enum: ['read-all', 'write-all'] },
        closed(
          Object.fromEntries(
            ['actions', 'checks', 'contents', 'deployments', 'issues', 'packages'].map((name) => [
              name,
              { enum: LEVELS },
            ]),
          ),
        ),
      ],
    },
    concurrency: {
      anyOf: [
        text,
        closed({ group: text, cancel: { anyOf: [{ type: 'boolean' }, expression] } }, ['group']),
      ],
    },
    container: {
      anyOf: [
        text,
        closed(
          {
            image: text,
            credentials: closed({ username: text, password: text }),
            variables: ref('variables'),
            ports: { type: 'array', items: { anyOf: [{ type: 'integer' }, text] } },
            volumes: words,
            options: text,
          },
          ['image'],
        ),
      ],
    },
    place: { anyOf: [text, words, closed({ group: text, labels: textOrWords })] },
    matrix: {
      anyOf: [
        expression,
        {
          type: 'object',
          properties: {
            include: { anyOf: [expression, { type: 'array', items: { type: 'object' } }] },
            exclude: { anyOf: [expression, { type: 'array', items: { type: 'object' } }] },
          },
          additionalProperties: { anyOf: [expression, { type: 'array', items: scalar }] },
        },
      ],
    },
    step: {
      anyOf: [
        closed(
          {
            id: text,
            name: text,
            if: scalar,
            uses: text,
            with: ref('variables'),
            variables: ref('variables'),
            timeout: { anyOf: [{ type: 'number' }, expression] },
          },
          ['uses'],
        ),
        closed(
          {
            id: text,
            name: text,
            if: scalar,
            run: text,
            shell: { anyOf: [{ enum: ['bash', 'sh', 'pwsh', 'python'] }, text] },
            folder: text,
            variables: ref('variables'),
            timeout: { anyOf: [{ type: 'number' }, expression] },
          },
          ['run'],
        ),
      ],
    },
    job: {
      anyOf: [
        closed(
          {
            name: text,
            needs: textOrWords,
            permissions: ref('permissions'),
            place: ref('place'),
            environment: { anyOf: [text, closed({ name: text, url: text }, ['name'])] },
            concurrency: ref('concurrency'),
            outputs: { type: 'object', additionalProperties: text },
            variables: ref('variables'),
            if: scalar,
            steps: { type: 'array', items: ref('step'), minItems: 1 },
            timeout: { anyOf: [{ type: 'number' }, expression] },
            strategy: closed(
              {
                matrix: ref('matrix'),
                'fail-fast': { anyOf: [{ type: 'boolean' }, text] },
                'max-parallel': { anyOf: [{ type: 'number' }, text] },
              },
              ['matrix'],
            ),
            container: ref('container'),
            services: { type: 'object', additionalProperties: ref('container') },
          },
          ['place', 'steps'],
        ),
        closed(
          {
            name: text,
            needs: textOrWords,
            permissions: ref('permissions'),
            if: scalar,
            uses: text,
            with: ref('variables'),
            secrets: { anyOf: [ref('variables'), { enum: ['inherit'] }] },
          },
          ['uses'],
        ),
      ],
    },
    Pipeline: closed(
      {
        name: text,
        on: {
          anyOf: [
            ref('event'),
            { type: 'array', items: ref('event'), minItems: 1 },
            closed(
              Object.fromEntries(
                EVENTS.map((name) => [name, { anyOf: [{ type: 'null' }, ref('filter')] }]),
              ),
            ),
          ],
        },
        variables: ref('variables'),
        permissions: ref('permissions'),
        concurrency: ref('concurrency'),
        jobs: { type: 'object', additionalProperties: ref('job'), minProperties: 1 },
      },
      ['on', 'jobs'],
    ),
  },
};

/** Files of several projects, small and large. */
export const PIPELINES: readonly unknown[] = [
  {
    name: 'test',
    on: ['push', 'pull_request'],
    jobs: {
      test: {
        place: 'linux',
        strategy: { matrix: { node: [20, 22, 24], system: ['linux', 'mac'] }, 'fail-fast': false },
        steps: [
          { uses: 'forge/checkout@4' },
          {
            name: 'Node',
            uses: 'forge/node@4',
            with: { version: '${{ matrix.node }}', cache: 'npm' },
          },
          { run: 'npm ci' },
          { name: 'Test', run: 'npm test', variables: { CI: true } },
        ],
      },
    },
  },
  {
    name: 'release',
    on: { push: { tags: 'v*' }, manual: null, release: { types: ['published'] } },
    permissions: { contents: 'write', packages: 'write' },
    concurrency: { group: 'release', cancel: false },
    variables: { REGISTRY: 'https://registry.example.org', RETRIES: 3 },
    jobs: {
      build: {
        name: 'Build',
        place: ['linux', 'large'],
        container: { image: 'node:22', ports: [80, '443:443'], options: '--init' },
        outputs: { version: '${{ steps.version.outputs.value }}' },
        steps: [
          { uses: 'forge/checkout@4', with: { depth: 0 } },
          { id: 'version', run: 'echo value=1.2.3', shell: 'bash' },
          { name: 'Build', run: 'npm run build', folder: 'packages/core', timeout: 10 },
          { uses: 'forge/upload@4', with: { name: 'dist', path: 'dist' }, if: 'success()' },
        ],
      },
      publish: {
        needs: 'build',
        place: { group: 'trusted', labels: ['linux'] },
        environment: { name: 'production', url: 'https://example.org' },
        services: {
          database: { image: 'postgres:17', variables: { PASSWORD: 'test' } },
          cache: 'redis',
        },
        steps: [
          { uses: 'forge/download@4', with: { name: 'dist' } },
          { name: 'Publish', run: 'npm publish', variables: { TOKEN: '${{ secrets.TOKEN }}' } },
        ],
      },
      notify: {
        needs: ['build', 'publish'],
        uses: './pipelines/notify.yml',
        with: { room: 'releases' },
        secrets: 'inherit',
      },
    },
  },
  {
    on: 'schedule',
    permissions: 'read-all',
    jobs: Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `job-${String(index)}`,
        {
          place: 'linux',
          ...(index > 0 && { needs: [`job-${String(index - 1)}`] }),
          steps: [
            { uses: 'forge/checkout@4' },
            {
              name: `Part ${String(index)}`,
              run: `make part-${String(index)}`,
              variables: { PART: index },
            },
          ],
        },
      ]),
    ),
  },
];
