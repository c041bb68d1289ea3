import { choice, closed, flag, list, named, object, text, tool, when, whole } from './schema.js';
import type { Schema, ToolSchema } from './schema.js';

const uid = named('Id', '^[a-zA-Z0-9_-]{1,40}$', 'cpu-usage');
const label = object(
  { name: text('Name'), value: text('Value'), type: { enum: ['=', '!=', '=~', '!~'] } },
  ['name', 'value'],
  closed,
);
const time = text('Time', { minLength: 1, default: 'now-1h' });

const field = (index: number): Schema =>
  [
    text('Text of the field'),
    whole('Number of the field', { minimum: 0 }),
    flag('Switch'),
    choice('Choice', 'low', 'middle', 'high'),
  ][index % 4] ?? {};
/** A form with many fields, as trackers with custom fields have them. */
const fields = Object.fromEntries(
  Array.from({ length: 32 }, (_, index) => [`customField${String(10_000 + index)}`, field(index)]),
);

/** As servers of metrics, clouds and large forms have them. */
export const OPERATIONS_TOOLS: readonly ToolSchema[] = [
  tool(
    'create_ticket',
    {
      project: named('Project', '^[A-Z][A-Z0-9_]{1,9}$', 'OPS'),
      summary: text('Summary', { minLength: 1, maxLength: 255 }),
      issueType: choice('Type', 'Bug', 'Task', 'Story', 'Epic', 'Subtask'),
      priority: choice('Priority', 'Highest', 'High', 'Medium', 'Low', 'Lowest'),
      dueDate: text('Day', { format: 'date', examples: ['2026-05-06'] }),
      labels: list(named('Label', '^\\S+$', 'infra')),
      components: list(text('Component')),
      parent: named('Key', '^[A-Z][A-Z0-9_]+-\\d+$', 'OPS-12'),
      ...fields,
    },
    ['project', 'summary', 'issueType'],
    closed,
  ),
  tool(
    'query_metrics',
    {
      datasource: uid,
      expr: text('Expression', { minLength: 1 }),
      startTime: time,
      endTime: time,
      stepSeconds: whole('Seconds', { minimum: 1 }),
      queryType: choice('Kind', 'range', 'instant'),
    },
    ['datasource', 'expr', 'startTime'],
  ),
  tool(
    'query_logs',
    {
      datasource: uid,
      query: text('Query'),
      labels: list(label),
      start: when('From'),
      end: when('To'),
      limit: whole('Lines', { minimum: 1, maximum: 5000, default: 100 }),
      direction: choice('Direction', 'forward', 'backward'),
    },
    ['datasource'],
  ),
  tool(
    'update_dashboard',
    {
      uid,
      title: text('Title', { minLength: 1 }),
      folder: uid,
      tags: list(text('Tag'), { uniqueItems: true }),
      refresh: named('Interval', '^\\d+[smhd]$', '30s'),
      time: object({ from: time, to: time }, ['from', 'to']),
      panels: list({ $ref: '#/$defs/panel' }),
      overwrite: flag('Overwrite'),
    },
    ['title', 'panels'],
    {
      $defs: {
        panel: object(
          {
            id: whole('Id', { minimum: 1 }),
            type: choice('Kind', 'timeseries', 'stat', 'table', 'gauge', 'row', 'text'),
            title: text('Title'),
            gridPos: object(
              {
                x: whole('Column', { minimum: 0, maximum: 23 }),
                y: whole('Row', { minimum: 0 }),
                w: whole('Width', { minimum: 1, maximum: 24 }),
                h: whole('Height', { minimum: 1 }),
              },
              ['x', 'y', 'w', 'h'],
              closed,
            ),
            targets: list(
              object(
                {
                  refId: named('Letter', '^[A-Z]$', 'A'),
                  expr: text('Expression'),
                  hide: flag('Hidden'),
                },
                ['refId'],
              ),
            ),
            thresholds: list(
              object(
                {
                  value: { type: ['number', 'null'] },
                  color: named('Colour', '^#[0-9a-fA-F]{6}$', '#00ff00'),
                },
                ['value', 'color'],
              ),
            ),
            panels: list({ $ref: '#/$defs/panel' }),
          },
          ['type', 'gridPos'],
        ),
      },
    },
  ),
  tool(
    'deploy_service',
    {
      service: named('Name', '^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$', 'api'),
      region: choice(
        'Region',
        'eu-north-1',
        'eu-west-1',
        'us-east-1',
        'us-west-2',
        'ap-southeast-2',
      ),
      image: text('Image', { minLength: 1, maxLength: 512 }),
      replicas: {
        oneOf: [
          whole('Count', { minimum: 0, maximum: 1000 }),
          object(
            { min: whole('Least', { minimum: 0 }), max: whole('Most', { minimum: 1 }) },
            ['min', 'max'],
            closed,
          ),
        ],
      },
      env: list(
        object(
          {
            name: named('Name', '^[A-Za-z_]\\w*$', 'PORT'),
            value: text('Value'),
            secret: text('Secret'),
          },
          ['name'],
        ),
      ),
      ports: list(
        object(
          {
            port: whole('Port', { minimum: 1, maximum: 65535 }),
            protocol: choice('Protocol', 'TCP', 'UDP'),
          },
          ['port'],
        ),
      ),
      resources: object({
        cpu: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.125 },
        memoryMb: whole('Megabytes', { minimum: 128, multipleOf: 64 }),
      }),
      healthCheck: object(
        {
          path: named('Path', '^/', '/health'),
          intervalSeconds: whole('Seconds', { minimum: 1 }),
          retries: whole('Count', { minimum: 0, maximum: 10 }),
        },
        ['path'],
      ),
      labels: {
        type: 'object',
        patternProperties: { '^[a-z][a-z0-9./-]*$': { type: 'string', maxLength: 63 } },
        additionalProperties: false,
        examples: [{ team: 'payments' }],
      },
      strategy: choice('Strategy', 'rolling', 'recreate', 'canary'),
    },
    ['service', 'image'],
  ),
  tool(
    'update_product',
    {
      id: whole('Id', { minimum: 1 }),
      title: text('Title', { minLength: 1, maxLength: 255 }),
      status: choice('Status', 'active', 'archived', 'draft'),
      options: list(
        object(
          { name: text('Name', { minLength: 1 }), values: list(text('Value'), { minItems: 1 }) },
          ['name', 'values'],
        ),
        { maxItems: 3 },
      ),
      variants: list(
        object(
          {
            sku: text('Number', { maxLength: 64 }),
            price: named('Price', '^\\d+(?:\\.\\d{1,2})?$', '12.50'),
            compareAtPrice: { type: ['string', 'null'] },
            inventory: list(
              object({ location: whole('Place'), available: whole('Count', { minimum: 0 }) }, [
                'location',
                'available',
              ]),
              { minItems: 1 },
            ),
            weight: object(
              {
                value: { type: 'number', minimum: 0 },
                unit: choice('Unit', 'g', 'kg', 'oz', 'lb'),
              },
              ['value', 'unit'],
            ),
            options: {
              type: 'array',
              prefixItems: [{ type: 'string' }, { type: 'string' }, { type: 'string' }],
              items: false,
            },
            taxable: flag('Taxed', true),
          },
          ['price'],
        ),
        { maxItems: 100 },
      ),
      metafields: list(
        object(
          {
            namespace: text('Namespace', { minLength: 3 }),
            key: text('Key', { minLength: 2 }),
            value: text('Value'),
            type: choice('Type', 'text', 'number', 'json', 'url'),
          },
          ['namespace', 'key', 'value', 'type'],
          closed,
        ),
      ),
      seo: object({
        title: text('Title', { maxLength: 70 }),
        description: text('Description', { maxLength: 320 }),
      }),
    },
    ['id'],
  ),
];
