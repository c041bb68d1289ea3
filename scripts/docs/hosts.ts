import {
  type Effect,
  type Evidence,
  HOSTS,
  type Rule,
  type Total,
} from '../../contracts/lint/index.js';
import { between, code, table } from './markdown.js';

const START = '<!-- written from contracts/lint/hosts by `npm run docs` -->\n';
const END = '<!-- end -->';

/** The page of hosts with a table of the rules of each. */
export function withRules(page: string): string {
  const sections = HOSTS.map(({ id, name, rules }) =>
    [
      `### ${name}: ${code(`--host ${id}`)}\n`,
      table(
        ['rule', 'finds', 'what the host does', 'where', 'shown by'],
        rules.map((rule) => [
          code(rule.id ?? rule.check),
          findsOf(rule),
          `${EFFECTS[rule.effect]} ${rule.says}`,
          rule.where ?? '',
          rule.evidence.map(shownBy).join('; '),
        ]),
      ),
    ].join('\n'),
  );
  return between(page, START, END, sections.join('\n'));
}

const EFFECTS: Readonly<Record<Effect, string>> = {
  'breaks-all': '**breaks all tools.**',
  drops: '**refuses the tool.**',
  misreads: 'misreads it.',
  reported: 'reported.',
};

/** `[source](…) of 2026-06-11, read 2026-11-29`. */
function shownBy({ grade, url, dated, read }: Evidence): string {
  const day = dated === undefined ? '' : ` of ${dated}`;
  return `[${grade}](${url})${day}, read ${read}`;
}

/** What a rule looks for, in words. */
function findsOf(rule: Rule): string {
  const list = (words: readonly string[]): string => words.map(code).join(', ');
  switch (rule.check) {
    case 'tool-name':
      return `a name that does not match ${code(rule.pattern)}`;
    case 'tool-name-length':
      return `a name that leaves none of ${rule.most} characters for the server's`;
    case 'double-name':
      return 'a name that an earlier tool has';
    case 'empty-description':
      return 'an empty description';
    case 'description-length':
      return `a description of more than ${rule.most} characters`;
    case 'property-name':
      return `a property of the input that does not match ${code(rule.pattern)}`;
    case 'root-keyword':
      return `at the root: ${list(rule.names)}`;
    case 'keyword':
      return `anywhere: ${list(rule.names)}`;
    case 'draft':
      return `${code('$schema')} of the ${rule.of} that names another draft than 2020-12`;
    case 'earlier-form':
      return 'a schema of an earlier draft that is none in 2020-12, such as a list as `items`';
    case 'schema':
      return 'a schema that is none by its draft, or refers to nothing';
    case 'root-type':
      return `a root of the ${rule.of} that is not ${code('type: object')}`;
    case 'reference':
      return code('$ref');
    case 'boolean-schema':
      return 'a property whose schema is `true` or `false`';
    case 'required-undefined':
      return 'a name in `required` that is not in `properties`';
    case 'properties-of-other-type':
      return '`properties` or `required` beside a type other than `object`';
    case 'pattern':
      return `a pattern with lookarounds or references to groups${rule.engine === 'llama' ? ', or not as `^…$`' : ''}`;
    case 'type':
      return {
        list: 'a list as `type`',
        missing: 'no `type`',
        'list-as-items': '`items` with a list as `type`',
      }[rule.kind];
    case 'array-without-items':
      return `an array without ${code('items')}`;
    case 'object-without-properties':
      return `a root without ${code('properties')}`;
    case 'enum-value':
      return rule.refuses === 'empty'
        ? 'an empty text in `enum`'
        : '`enum` and `const` with values that are no strings';
    case 'enum-of-array':
      return '`enum` beside an array';
    case 'format':
      return `a format other than ${list(rule.accepts)}`;
    case 'open-object':
      return `an object without ${code('additionalProperties: false')}`;
    case 'optional-property':
      return 'a property that is not required';
    case 'depth':
      return `more than ${rule.most} levels`;
    case 'total':
      return `more than ${rule.most} ${TOTALS[rule.what]}`;
  }
}

const TOTALS: Readonly<Record<Total, string>> = {
  properties: 'properties',
  'enum-values': 'values of `enum`',
  'name-characters': 'characters in names and values of `enum` and `const`',
  'enum-characters': 'characters in one `enum` of more than 250 values',
};
