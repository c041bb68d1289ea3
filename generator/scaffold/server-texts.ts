import { managerOf, scriptOf } from './managers.js';
import type { Features, Slot } from './template.js';

/** The address of a new server over HTTP. */
const URL = 'http://127.0.0.1:3000/mcp';

/** What differs in the texts of a server. */
export const SERVER_TEXTS: readonly Slot[] = [
  { file: 'README.md', text: startOf },
  { file: 'README.md', text: connectionOf },
  { file: 'README.md', text: (features) => scriptOf(features, 'inspect') },
  { file: 'README.md', text: (features) => (hasSettings(features) ? EXAMPLE : '') },
  {
    file: 'README.md',
    text: (features) => `# also: ${mayAsk(features) ? '--ask, ' : ''}--progress`,
  },
  { file: 'README.md', text: storeOf },
  { file: 'README.md', text: dockerOf },
  { file: 'AGENTS.md', text: checksOf },
  { file: 'AGENTS.md', text: (features) => (mayAsk(features) ? ', `--ask` or' : ' or') },
];

/** Whether the server identifies the users that its tools ask. */
function mayAsk(features: Features): boolean {
  return features.has('stdio') || features.has('authorized');
}

function checksOf(features: Features): string {
  const [types, lint, test, build] = ['types', 'lint', 'test', 'build'].map(
    (name) => `\`${scriptOf(features, name)}\``,
  );
  return `- Check with ${types}, ${lint} and ${test}. Build with ${build}.\n`;
}

const EXAMPLE = ' Copy `.env.example` to `.env`, and fill it in.';

function hasSettings(features: Features): boolean {
  return features.has('settings');
}

function startOf(features: Features): string {
  const { name } = managerOf(features);
  const copy = hasSettings(features) ? 'cp .env.example .env # and fill it in\n' : '';
  return `${name} install\n${name} run test\n${name} run build\n${copy}node dist/main.js\n`;
}

function connectionOf(features: Features): string {
  const json = (server: string): string =>
    `\`\`\`json
{
  "mcpServers": {
    "my-mcp-server": {
${server}
    }
  }
}
\`\`\`
`;
  if (features.has('stdio')) {
    return `A client starts the server and speaks over its standard streams. VS Code reads \`.vscode/mcp.json\`. Other clients take:

${json('      "command": "node",\n      "args": ["/path/to/dist/main.js"]')}`;
  }
  return `The server listens at \`${URL}\`. VS Code reads \`.vscode/mcp.json\`. Other clients take:

${json(`      "type": "http",\n      "url": "${URL}"`)}
${identificationOf(features)}`;
}

function identificationOf(features: Features): string {
  if (features.has('bearer')) {
    return `Every request needs a token. The server asks your authorization server about each one (RFC 7662), at most once a
minute for the same token. Tasks belong to their user and client.
`;
  }
  if (features.has('jwt')) {
    return `Every request needs a token (JWT) that your authorization server signed. A revoked token works until it expires. Tasks
belong to their user and client.
`;
  }
  return `There is no authorization: any program on this machine may use the server, and any client that has the id of a task may
read and cancel it. So tasks cannot be listed, live for 10 to 15 minutes, and tools cannot ask users. Before others may
connect, pass \`http({ auth: jwt() })\` or \`http({ auth: introspection() })\` in \`src/main.ts\`.
`;
}

function storeOf(features: Features): string {
  if (features.has('memory')) {
    return `Tasks are in memory, and end with the process. \`store: sqlite()\` in \`src/main.ts\` keeps them.
`;
  }
  const { dashes } = managerOf(features);
  const tasks = `${scriptOf(features, 'tasks')}${dashes}`;
  const rows: [string, string][] = [
    [`${tasks} list --status failed`, 'also: inspect, cancel, retry, purge'],
    ...(features.has('sqlite')
      ? [[`${tasks} backup tasks-backup.db`, 'while the server runs'] as [string, string]]
      : []),
    [scriptOf(features, 'tasks:board'), 'a page with all tasks, for this machine alone'],
    ...(features.has('postgres')
      ? [[scriptOf(features, 'migrate'), 'creates or updates the tables'] as [string, string]]
      : []),
    ...(features.has('postgres') && features.has('http')
      ? [
          [
            scriptOf(features, 'dev:cluster'),
            'several nodes and a database here, after a build',
          ] as [string, string],
        ]
      : []),
  ];
  const width = Math.max(...rows.map(([command]) => command.length));
  const lines = rows.map(([command, comment]) => `${command.padEnd(width)}  # ${comment}\n`);
  return `${placeOf(features)}
\`\`\`sh
${lines.join('')}\`\`\`
${features.has('postgres') && features.has('http') ? CLUSTER : ''}`;
}

function placeOf(features: Features): string {
  if (features.has('postgres')) {
    return 'Tasks are in PostgreSQL, which any number of these servers share.\n';
  }
  if (features.has('http')) {
    return 'Tasks are in `tasks.db` in this folder; `DATABASE` names another file. One process at a time uses it.\n';
  }
  return `Tasks are in \`tasks.db\` in this folder, or in \`tasks-2.db\` and so on while other hosts run this server; \`DATABASE\`
names another file. One process at a time uses each.
`;
}

const CLUSTER = `
\`compose.yaml\` runs nginx, two web nodes, two workers and a database: \`docker compose up --build\`.
\`deploy/kubernetes.yaml\` runs the same in a cluster. \`--role\` sets what a process does. Read
[deploying](node_modules/mcp-codegen/docs/deploying.md).
`;

function dockerOf(features: Features): string {
  const options = [
    features.has('stdio') ? ' -i --rm' : ' --rm -p 127.0.0.1:3000:3000',
    ...(hasSettings(features) ? [' --env-file .env'] : []),
    ...(features.has('sqlite') ? [' -v my-mcp-server-data:/data'] : []),
  ];
  return `docker run${options.join('')} my-mcp-server\n`;
}
