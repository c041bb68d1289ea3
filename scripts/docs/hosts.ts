import { HOSTS, type Rule } from '../../generator/contracts/lint/index.js';
import { between, code, table } from './markdown.js';

const START = '<!-- written from generator/contracts/lint/hosts by `npm run docs` -->\n';
const END = '<!-- end -->';

/** The page of hosts with a table of the rules of each. */
export function withRules(page: string): string {
  const sections = HOSTS.map(({ id, name, rules }) =>
    [
      `### ${name}: ${code(`--host ${id}`)}\n`,
      table(
        ['rule', 'finds', 'what the host does', 'shown by', 'read'],
        rules.map((rule) => [
          code(rule.id ?? rule.check),
          findsOf(rule),
          rule.says,
          `[${new URL(rule.source).hostname}](${rule.source})`,
          rule.read,
        ]),
      ),
    ].join('\n'),
  );
  return between(page, START, END, sections.join('\n'));
}

/** What a rule looks for, in words. */
function findsOf(rule: Rule): string {
  const list = (words: readonly string[]): string => words.map(code).join(', ');
  switch (rule.check) {
    case 'tool-name':
      return `a name that does not match ${code(rule.pattern)}`;
    case 'tool-name-length':
      return `a name that leaves none of ${rule.most} characters for the server's`;
    case 'tool-count':
      return `more than ${rule.most} tools`;
    case 'description-length':
      return `a description of more than ${rule.most} characters`;
    case 'property-name':
      return `a property of the input that does not match ${code(rule.pattern)}`;
    case 'root-keyword':
      return `at the root: ${list(rule.names)}`;
    case 'keyword':
      return `anywhere: ${list(rule.names)}`;
    case 'draft':
      return `${code('$schema')} of another draft than 2020-12`;
    case 'earlier-form':
      return `${code('exclusiveMinimum: true')} and others of earlier drafts`;
    case 'schema':
      return 'a schema that is none by its draft, or refers to nothing';
    case 'root-type':
      return `a root of the ${rule.of} that is not ${code('type: object')}`;
    case 'reference':
      return code('$ref');
    case 'type':
      return rule.kind === 'list' ? `a list as ${code('type')}` : `no ${code('type')}`;
    case 'array-without-items':
      return `an array without ${code('items')}`;
    case 'object-without-properties':
      return `a root without ${code('properties')}`;
    case 'enum-type':
      return `${code('enum')} and ${code('const')} with values other than ${rule.accepts.join(', ')}`;
    case 'format':
      return `a format other than ${list(rule.accepts)}`;
    case 'open-object':
      return `an object without ${code('additionalProperties: false')}`;
    case 'optional-property':
      return 'a property that is not required';
    case 'depth':
      return `more than ${rule.most} levels`;
    case 'property-count':
      return `more than ${rule.most} properties`;
    case 'enum-count':
      return `more than ${rule.most} values of ${code('enum')}`;
  }
}
