import { managerOf, scriptOf } from './managers.js';
import type { Features, Slot } from './template.js';

/** What differs in the settings of a server's other programs: containers, clients, continuous integration. */
export const SERVER_SETTINGS: readonly Slot[] = [
  { file: 'Dockerfile', text: packagesOf },
  { file: 'Dockerfile', text: (features) => `RUN ${managerOf(features).build}\n` },
  { file: 'Dockerfile', text: (features) => (features.has('sqlite') ? FOLDER : '') },
  { file: 'Dockerfile', text: (features) => (features.has('http') ? PORT : '') },
  { file: 'Dockerfile', text: (features) => (features.has('sqlite') ? MOUNTED : COMMAND) },
  { file: '.github/workflows/ci.yml', text: checksOf },
  { file: '.vscode/mcp.json', text: (features) => (features.has('http') ? ADDRESS : PROGRAM) },
  { file: 'server.json', text: registeredAs },
  { file: 'gitignore', text: (features) => (features.has('sqlite') ? 'tasks*.db*\n' : '') },
  { file: 'package.json', text: inspectorOf },
  // tsx, which a minimal project does not have, brings the bundler.
  { file: 'package.json', text: (features) => (features.has('full') ? BUNDLED : '') },
  { file: 'env.example', text: examplesOf },
  {
    file: 'compose.yaml',
    text: (features) =>
      variablesOf(features)
        .map((name) => `    ${name}: \${${name}:?Set ${name} in .env}\n`)
        .join(''),
  },
  { file: 'deploy/kubernetes.yaml', text: (features) => (features.has('bearer') ? SECRET : '') },
  { file: 'deploy/kubernetes.yaml', text: issuerOf },
];

function packagesOf(features: Features): string {
  const { name, lock, files, installation } = managerOf(features);
  const before = installation.slice(0, -1).map((line) => `RUN ${line}\n`);
  return `${features.has('vendored') ? 'COPY vendor ./vendor\n' : ''}COPY ${files.join(' ')} ${lock}* ./
${before.join('')}# In a workspace the lock file is elsewhere: then versions are those that package.json allows.
RUN if [ -e ${lock} ]; then ${installation.at(-1) ?? ''}; else ${name} install; fi
`;
}

const BUNDLED = ' && mcp-bundle src/main.ts dist/main.js';

const FOLDER = `ENV DATABASE=/data/tasks.db
RUN mkdir /data && chown node /data
`;
const PORT = `# From outside the container: who may come in is decided by what is published, and by the host names.
ENV HOST=0.0.0.0
EXPOSE 3000
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT ?? 3000) + '/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
`;
const MOUNTED = `# Tasks that are to survive must not be in the container itself, nor in a volume without a name.
CMD ["sh", "-c", "grep -q ' /data ' /proc/mounts || { echo 'Mount a volume for the tasks: docker run -v my-mcp-server-data:/data' >&2; exit 1; }; exec node dist/main.js"]
`;
const COMMAND = `CMD ["node", "dist/main.js"]
`;

function checksOf(features: Features): string {
  const scripts = ['types', 'lint', 'test', 'build'].map((name) => scriptOf(features, name));
  return [...managerOf(features).installation, ...scripts]
    .map((line) => `      - run: ${line}\n`)
    .join('');
}

const ADDRESS = `{
      "type": "http",
      "url": "http://127.0.0.1:3000/mcp"
    }`;
const PROGRAM = `{
      "type": "stdio",
      "command": "node",
      "args": ["\${workspaceFolder}/dist/main.js"]
    }`;

/** Where clients find the server: at its address, or as an image that they start. */
function registeredAs(features: Features): string {
  if (features.has('http')) {
    return `"remotes": [{ "type": "streamable-http", "url": "https://mcp.example/mcp" }]`;
  }
  const mount = { type: 'named', name: '-v', value: 'my-mcp-server-data:/data' };
  const image = {
    registryType: 'oci',
    identifier: 'ghcr.io/your-name/my-mcp-server:0.1.0',
    runtimeHint: 'docker',
    ...(features.has('sqlite') && { runtimeArguments: [mount] }),
    transport: { type: 'stdio' },
    ...(features.has('postgres') && {
      environmentVariables: [
        { name: 'DATABASE_URL', description: 'The database', isRequired: true, isSecret: true },
      ],
    }),
  };
  const text = JSON.stringify({ packages: [image] }, null, 2);
  return text.slice(text.indexOf('"'), -2);
}

function inspectorOf(features: Features): string {
  const target = features.has('http')
    ? '--server-url http://127.0.0.1:3000/mcp --transport http'
    : '-- node dist/main.js';
  return `inspector@^2.12.0 ${target}"`;
}

const RESOURCE = `# The URL under which clients reach the server
AUTH_RESOURCE=http://127.0.0.1:3000/mcp
# The authorization server
AUTH_ISSUER=http://127.0.0.1:9000
`;
const INTROSPECTION = `# Where it verifies tokens, and how this server identifies itself there
AUTH_INTROSPECTION=http://127.0.0.1:9000/introspect
AUTH_CLIENT_ID=my-mcp-server
AUTH_CLIENT_SECRET=change-me
`;
const KEYS = `# Its public keys: jwks_uri in its metadata
AUTH_JWKS=http://127.0.0.1:9000/jwks
`;
const DATABASE = `# The database of the tasks
DATABASE_URL=postgres://me:change-me@127.0.0.1:5432/tasks
`;
const CONTAINERS = `
# For compose.yaml: the password of its database, and the host names under which clients call the server
POSTGRES_PASSWORD=
ALLOWED_HOSTS=localhost,127.0.0.1
`;

function examplesOf(features: Features): string {
  return [
    ...(features.has('authorized') ? [RESOURCE] : []),
    ...(features.has('bearer') ? [INTROSPECTION] : []),
    ...(features.has('jwt') ? [KEYS] : []),
    ...(features.has('postgres') ? [DATABASE] : []),
    ...(features.has('postgres') && features.has('http') ? [CONTAINERS] : []),
  ].join('');
}

function variablesOf(features: Features): string[] {
  if (!features.has('authorized')) return [];
  const kind = features.has('jwt')
    ? ['AUTH_JWKS']
    : ['AUTH_INTROSPECTION', 'AUTH_CLIENT_ID', 'AUTH_CLIENT_SECRET'];
  return ['AUTH_RESOURCE', 'AUTH_ISSUER', ...kind];
}

const SECRET = '#     --from-literal=AUTH_CLIENT_SECRET=... \\\n';

const ISSUED: Readonly<Record<string, string>> = {
  AUTH_RESOURCE: 'https://mcp.example/mcp',
  AUTH_ISSUER: 'https://auth.example',
  AUTH_JWKS: 'https://auth.example/jwks',
  AUTH_INTROSPECTION: 'https://auth.example/introspect',
  AUTH_CLIENT_ID: 'my-mcp-server',
};

function issuerOf(features: Features): string {
  const names = variablesOf(features).filter((name) => name in ISSUED);
  return names.map((name) => `  ${name}: ${ISSUED[name] ?? ''}\n`).join('');
}
