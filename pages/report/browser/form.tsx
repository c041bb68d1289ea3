import { SEVERITIES } from '../../findings/severity.js';
import { SearchField } from '../../toolkit/search.js';
import { data, messages } from './data.js';
import type { Filters } from './filters.js';

interface FormProps {
  readonly filters: Filters;
  /** Called with each character that is typed. */
  readonly onSearch: (filters: Filters) => void;
  readonly onChoice: (filters: Filters) => void;
  readonly onClear: () => void;
  readonly onEnter: () => void;
}

type Options = readonly (readonly [value: string, text: string])[];

const same = (texts: readonly string[]): Options => texts.map((text) => [text, text]);
const numbered = (texts: readonly string[]): Options =>
  texts.map((text, index) => [String(index), text]);
const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].filter(Boolean).sort();

/** The choices that the recording offers. */
const CHOICES: readonly (readonly [name: keyof Filters, label: string, options: Options])[] = [
  ['method', 'Method', same(distinct(messages.map(({ method }) => method)))],
  [
    'finding',
    'Severity or rule',
    [
      ['any', 'with a finding'],
      ...same(SEVERITIES),
      ...same(distinct(messages.flatMap(({ findings }) => findings.map(({ code }) => code)))),
    ],
  ],
  [
    'side',
    'Sender',
    [
      ['c', 'client'],
      ['s', 'server'],
    ],
  ],
  ['task', 'Task', numbered(data.tasks)],
  ['file', 'File', data.files.length > 1 ? numbered(data.files) : []],
  ['session', 'Session', numbered(data.sessions)],
];

export function FilterForm({ filters, onSearch, onChoice, onClear, onEnter }: FormProps) {
  return (
    <form
      id="filters"
      role="search"
      aria-label="Messages"
      onSubmit={(event) => {
        event.preventDefault();
        onEnter();
      }}
    >
      <div class="wide">
        <SearchField
          label="Search in messages"
          value={filters.search ?? ''}
          onText={(search) => onSearch({ ...filters, search })}
          onEscape={onClear}
        />
      </div>
      {CHOICES.filter(([, , options]) => options.length > 0).map(([name, label, options]) => (
        <div key={name}>
          <label for={name}>{label}</label>
          <select
            id={name}
            value={filters[name] ?? ''}
            onInput={({ currentTarget: { value } }) => onChoice({ ...filters, [name]: value })}
          >
            {[['', 'All'] as const, ...options].map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </div>
      ))}
      <button type="button" id="clear" onClick={onClear}>
        Show all
      </button>
    </form>
  );
}
