import { choice, closed, flag, list, named, object, text, tool, whole } from './schema.js';
import type { Schema, ToolSchema } from './schema.js';

const url = text('A URL', {
  format: 'uri',
  maxLength: 2048,
  examples: ['https://example.com/a?b=c'],
});
const element = text('Description of the element', { minLength: 1 });
const ref = named('Reference of the element', '^[a-z]?\\d*e\\d+$', 'e12');
const modifiers = list(
  { type: 'string', enum: ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift'] },
  { uniqueItems: true },
);
const point: Schema = object({ x: { type: 'number' }, y: { type: 'number' } }, ['x', 'y'], closed);
const selector: Schema = {
  anyOf: [
    object({ css: text('CSS', { minLength: 1 }) }, ['css'], closed),
    object({ role: text('Role'), name: text('Name') }, ['role'], closed),
    object({ text: text('Text', { minLength: 1 }) }, ['text'], closed),
    object({ point: { $ref: '#/$defs/point' } }, ['point'], closed),
  ],
};

const step: Schema = {
  oneOf: [
    object({ action: { const: 'goto' }, url }, ['action', 'url'], closed),
    object(
      {
        action: { const: 'click' },
        target: { $ref: '#/$defs/selector' },
        button: choice('Button', 'left', 'right', 'middle'),
      },
      ['action', 'target'],
      closed,
    ),
    object(
      {
        action: { const: 'fill' },
        target: { $ref: '#/$defs/selector' },
        value: text('Value'),
        submit: flag('Submit'),
      },
      ['action', 'target', 'value'],
      closed,
    ),
    object(
      { action: { const: 'wait' }, ms: whole('Milliseconds', { minimum: 0, maximum: 60000 }) },
      ['action', 'ms'],
      closed,
    ),
    object({ action: { const: 'screenshot' }, fullPage: flag('Whole page') }, ['action'], closed),
  ],
};

/** As servers that drive browsers and fetch pages have them. */
export const BROWSER_TOOLS: readonly ToolSchema[] = [
  tool(
    'navigate',
    {
      url,
      waitUntil: choice('Event', 'load', 'domcontentloaded', 'networkidle'),
      timeout: whole('Milliseconds', { minimum: 0 }),
    },
    ['url'],
    closed,
  ),
  tool(
    'click',
    {
      element,
      ref,
      doubleClick: flag('Twice'),
      button: choice('Button', 'left', 'right', 'middle'),
      modifiers,
    },
    ['element', 'ref'],
    closed,
  ),
  tool(
    'type_text',
    { element, ref, text: text('Text'), submit: flag('Submit'), slowly: flag('Key by key') },
    ['element', 'ref', 'text'],
    closed,
  ),
  tool(
    'fill_form',
    {
      fields: list(
        object(
          {
            name: element,
            type: choice('Kind', 'textbox', 'checkbox', 'radio', 'combobox', 'slider'),
            ref,
            value: text('Value'),
          },
          ['name', 'type', 'ref', 'value'],
          closed,
        ),
        { minItems: 1 },
      ),
    },
    ['fields'],
    closed,
  ),
  tool(
    'take_screenshot',
    {
      type: choice('Format', 'png', 'jpeg', 'webp'),
      quality: whole('Quality', { minimum: 0, maximum: 100 }),
      fullPage: flag('Whole page'),
      filename: named('File', '^[\\w.-]+$', 'page.png'),
      clip: object(
        {
          x: { type: 'number' },
          y: { type: 'number' },
          width: { type: 'number', exclusiveMinimum: 0 },
          height: { type: 'number', exclusiveMinimum: 0 },
        },
        ['x', 'y', 'width', 'height'],
        closed,
      ),
      element,
      ref,
    },
    [],
    { additionalProperties: false, dependentRequired: { element: ['ref'], ref: ['element'] } },
  ),
  tool(
    'run_steps',
    {
      steps: list({ $ref: '#/$defs/step' }, { minItems: 1, maxItems: 200 }),
      stopOnError: flag('Stop at an error', true),
    },
    ['steps'],
    {
      $defs: { point, selector, step },
      additionalProperties: false,
    },
  ),
  tool(
    'fetch_page',
    {
      url,
      method: choice('Method', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'),
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      body: { anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'null' }] },
      maxLength: whole('Characters', {
        exclusiveMinimum: 0,
        exclusiveMaximum: 1000000,
        default: 5000,
      }),
      startIndex: whole('First character', { minimum: 0, default: 0 }),
      raw: flag('HTML instead of Markdown'),
      proxy: object({ server: url, username: text('User'), password: text('Password') }, [
        'server',
      ]),
    },
    ['url'],
  ),
  tool(
    'web_search',
    {
      query: text('Search terms', { minLength: 1, maxLength: 400 }),
      count: whole('Results', { minimum: 1, maximum: 20, default: 10 }),
      offset: whole('Pages to skip', { minimum: 0, maximum: 9 }),
      country: named('Country', '^[A-Z]{2}$', 'NZ'),
      freshness: {
        anyOf: [
          { enum: ['pd', 'pw', 'pm', 'py'] },
          named('Range', '^\\d{4}-\\d{2}-\\d{2}to\\d{4}-\\d{2}-\\d{2}$', '2026-01-01to2026-02-01'),
        ],
      },
      safeSearch: choice('Filter', 'off', 'moderate', 'strict'),
      domains: object({ include: list(text('Domain')), exclude: list(text('Domain')) }),
    },
    ['query'],
  ),
];
