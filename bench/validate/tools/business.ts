import { choice, closed, flag, list, named, object, text, tool, when, whole } from './schema.js';
import type { Schema, ToolSchema } from './schema.js';

const id = (prefix: string): Schema =>
  named('Id', `^${prefix}_[A-Za-z0-9]{8,}$`, `${prefix}_a1B2c3D4e5`);
const currency = choice(
  'Currency',
  'usd',
  'eur',
  'gbp',
  'jpy',
  'chf',
  'aud',
  'cad',
  'nzd',
  'sek',
  'nok',
  'dkk',
  'pln',
);
const email = text('E-mail address', {
  format: 'email',
  maxLength: 512,
  examples: ['a.b@example.com'],
});
const amount = whole('Amount in the smallest unit', { minimum: 1, maximum: 99999999 });
const metadata: Schema = {
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 500 },
  propertyNames: { maxLength: 40 },
  maxProperties: 50,
};
const address = object(
  {
    line1: text('Street', { minLength: 1 }),
    line2: text('Further line'),
    city: text('City'),
    state: text('State'),
    postalCode: text('Postal code', { maxLength: 16 }),
    country: named('Country', '^[A-Z]{2}$', 'SE'),
  },
  ['line1', 'country'],
  closed,
);
const $defs = { address, metadata };
const card = object(
  {
    type: { const: 'card' },
    number: named('Number', '^\\d{12,19}$', '4242424242424242'),
    expMonth: whole('Month', { minimum: 1, maximum: 12 }),
    expYear: whole('Year', { minimum: 2026, maximum: 2099 }),
    cvc: named('Code', '^\\d{3,4}$', '123'),
  },
  ['type', 'number', 'expMonth', 'expYear'],
);
const debit = object(
  {
    type: { const: 'sepa_debit' },
    iban: named('IBAN', '^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$', 'SE3550000000054910000003'),
  },
  ['type', 'iban'],
);
const transfer = object({ type: { const: 'bank_transfer' }, reference: text('Reference') }, [
  'type',
]);

/** As servers of payments, calendars and messages have them. */
export const BUSINESS_TOOLS: readonly ToolSchema[] = [
  tool(
    'create_customer',
    {
      name: text('Name', { minLength: 1, maxLength: 256 }),
      email,
      phone: named('Phone number', '^\\+[1-9]\\d{6,14}$', '+46701234567'),
      description: text('Description', { maxLength: 350 }),
      address: { $ref: '#/$defs/address' },
      shipping: object(
        { name: text('Name'), phone: text('Phone'), address: { $ref: '#/$defs/address' } },
        ['name', 'address'],
      ),
      taxExempt: choice('Tax', 'none', 'exempt', 'reverse'),
      preferredLocales: list(named('Locale', '^[a-z]{2}(?:-[A-Z]{2})?$', 'sv-SE'), { maxItems: 5 }),
      metadata: { $ref: '#/$defs/metadata' },
    },
    ['name'],
    { $defs },
  ),
  tool(
    'create_payment',
    {
      amount,
      currency,
      customer: id('cus'),
      description: text('Description'),
      method: { oneOf: [card, debit, transfer] },
      captureMethod: choice('Capture', 'automatic', 'automatic_async', 'manual'),
      confirm: flag('Confirm at once'),
      offSession: flag('The customer is absent'),
      receiptEmail: email,
      returnUrl: text('URL', { format: 'uri', examples: ['https://example.com/return'] }),
      shipping: object({ name: text('Name'), address: { $ref: '#/$defs/address' } }, [
        'name',
        'address',
      ]),
      statementDescriptor: text('Text on the statement', { minLength: 5, maxLength: 22 }),
      transferGroup: text('Group'),
      applicationFee: amount,
      metadata: { $ref: '#/$defs/metadata' },
    },
    ['amount', 'currency', 'method'],
    { $defs, additionalProperties: false },
  ),
  tool(
    'create_invoice',
    {
      customer: id('cus'),
      collection: choice('Collection', 'charge_automatically', 'send_invoice'),
      daysUntilDue: whole('Days', { minimum: 0, maximum: 365 }),
      lines: list(
        {
          allOf: [
            object({
              description: text('Description'),
              quantity: whole('Quantity', { minimum: 1 }),
            }),
            {
              oneOf: [
                object({ price: id('price') }, ['price']),
                object({ unitAmount: amount, currency }, ['unitAmount', 'currency']),
              ],
            },
          ],
        },
        { minItems: 1, maxItems: 250 },
      ),
      discounts: list(object({ coupon: text('Coupon') }, ['coupon'])),
      taxRates: list(id('txr'), { uniqueItems: true }),
      footer: text('Footer', { maxLength: 5000 }),
      metadata: { $ref: '#/$defs/metadata' },
    },
    ['customer', 'lines'],
    { $defs },
  ),
  tool(
    'refund_payment',
    {
      payment: id('pi'),
      amount,
      reason: choice('Reason', 'duplicate', 'fraudulent', 'requested_by_customer'),
    },
    ['payment'],
    closed,
  ),
  tool(
    'list_transactions',
    {
      customer: id('cus'),
      created: object(
        {
          gte: whole('Seconds'),
          gt: whole('Seconds'),
          lte: whole('Seconds'),
          lt: whole('Seconds'),
        },
        [],
        closed,
      ),
      status: list(choice('Status', 'succeeded', 'pending', 'failed', 'canceled')),
      currency,
      limit: whole('Most results', { minimum: 1, maximum: 100, default: 10 }),
      startingAfter: text('Cursor'),
    },
    [],
    closed,
  ),
  tool(
    'create_event',
    {
      calendarId: text('Calendar', { minLength: 1 }),
      summary: text('Title', { minLength: 1 }),
      description: text('Description'),
      location: text('Place'),
      start: {
        oneOf: [
          object({ dateTime: when('Start'), timeZone: text('Zone') }, ['dateTime']),
          object({ date: text('Day', { format: 'date', examples: ['2026-03-04'] }) }, ['date']),
        ],
      },
      end: {
        oneOf: [
          object({ dateTime: when('End'), timeZone: text('Zone') }, ['dateTime']),
          object({ date: text('Day', { format: 'date', examples: ['2026-03-04'] }) }, ['date']),
        ],
      },
      attendees: list(
        object({ email, optional: flag('Optional'), comment: text('Comment') }, ['email']),
        { maxItems: 200 },
      ),
      recurrence: list(named('Rule', '^(?:RRULE|EXRULE|RDATE|EXDATE):', 'RRULE:FREQ=DAILY')),
      reminders: object({
        useDefault: flag('Default', true),
        overrides: list(
          object(
            {
              method: choice('Method', 'email', 'popup'),
              minutes: whole('Minutes', { minimum: 0, maximum: 40320 }),
            },
            ['method', 'minutes'],
          ),
          { maxItems: 5 },
        ),
      }),
      visibility: choice('Visibility', 'default', 'public', 'private', 'confidential'),
      colorId: named('Colour', '^(?:[1-9]|1[01])$', '7'),
      sendUpdates: choice('Whom to inform', 'all', 'externalOnly', 'none'),
    },
    ['calendarId', 'summary', 'start', 'end'],
  ),
  tool(
    'post_message',
    {
      channel: named('Channel', '^[CDG][A-Z0-9]{8,}$', 'C0123456789'),
      text: text('Text', { maxLength: 40000 }),
      threadTs: named('Thread', '^\\d{10}\\.\\d{6}$', '1700000000.000100'),
      blocks: list(
        {
          oneOf: [
            object({ type: { const: 'divider' } }, ['type']),
            object({ type: { const: 'header' }, text: text('Text', { maxLength: 150 }) }, [
              'type',
              'text',
            ]),
            object(
              {
                type: { const: 'section' },
                text: text('Text', { maxLength: 3000 }),
                fields: list(text('Field'), { maxItems: 10 }),
              },
              ['type'],
            ),
            object(
              {
                type: { const: 'image' },
                imageUrl: text('URL', { format: 'uri', examples: ['https://example.com/i.png'] }),
                altText: text('Alternative'),
              },
              ['type', 'imageUrl', 'altText'],
            ),
          ],
        },
        { maxItems: 50 },
      ),
      unfurlLinks: flag('Show links', true),
      username: text('Name'),
    },
    ['channel'],
    { anyOf: [{ required: ['text'] }, { required: ['blocks'] }] },
  ),
  tool(
    'send_email',
    {
      to: list(email, { minItems: 1, maxItems: 50 }),
      cc: list(email, { maxItems: 50 }),
      bcc: list(email, { maxItems: 50 }),
      from: email,
      replyTo: email,
      subject: text('Subject', { minLength: 1, maxLength: 998 }),
      text: text('Plain text'),
      html: text('HTML'),
      scheduledAt: when('Time'),
      attachments: list(
        object(
          {
            filename: text('File', { minLength: 1 }),
            content: text('Base64', { contentEncoding: 'base64' }),
            path: text('URL'),
          },
          ['filename'],
          {
            oneOf: [{ required: ['content'] }, { required: ['path'] }],
          },
        ),
      ),
      tags: list(
        object(
          {
            name: named('Name', '^[\\w-]{1,256}$', 'kind'),
            value: named('Value', '^[\\w-]{1,256}$', 'news'),
          },
          ['name', 'value'],
        ),
      ),
    },
    ['to', 'from', 'subject'],
  ),
];
