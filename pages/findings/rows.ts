import { jsonPointer } from '../../json-schema/pointer.js';
import { visible } from '../../pages/toolkit/words.js';
import { MASK, maskString, maskText } from '../../contracts/validate/secrets/index.js';
import { FINDINGS, isRecord } from '../../contracts/validate/index.js';
import type { Checked, Finding } from '../../contracts/validate/index.js';
import { labelOf } from './label.js';
import { printMessage } from './print.js';
import type { Place, Printed } from './print.js';
import type { Row, RowFinding } from './row.js';
import { isQuestion, progressIn } from './state.js';

const LONGEST_LABEL = 160;
const LONGEST_NAME = 120;
const LONGEST_FINDING = 600;

/** The parts of a row that its message alone decides. */
export type Shown = Pick<
  Row,
  'method' | 'id' | 'progress' | 'isQuestion' | 'label' | 'body' | 'isCut' | 'findings'
> & { readonly masked: number };

/** Makes texts ready for the page. */
export class Shower {
  constructor(readonly showSecrets: boolean) {}

  /** `budget`: about how many characters its JSON may take. */
  message(checked: Checked, budget: number): Shown {
    const { value, method = '', path, findings } = checked;
    const base = jsonPointer(path);
    const pointers = findings.map(({ pointer = base }) =>
      pointer.startsWith(base) ? pointer.slice(base.length) : '',
    );
    const { showSecrets } = this;
    const printed = printMessage(value, { showSecrets, answers: method, budget, pointers });
    const id = isRecord(value) ? value['id'] : undefined;
    const label = labelOf(checked);
    return {
      method: this.name(method),
      id: typeof id === 'string' || typeof id === 'number' ? this.name(JSON.stringify(id)) : '',
      progress: progressIn(checked),
      isQuestion: isQuestion(checked),
      label: mentions(label, printed.secrets) ? MASK : this.text(label, LONGEST_LABEL),
      body: printed.text,
      isCut: printed.isCut,
      findings: findings.map((finding, index) =>
        this.#finding(finding, pointers[index] ?? '', printed, printed.places[index]),
      ),
      masked: printed.masked,
    };
  }

  /** A finding about something that is no message. The text of an unreadable line is not shown. */
  note(finding: Finding): RowFinding {
    const { severity, code, pointer = '' } = finding;
    const message = this.showSecrets
      ? finding.message
      : finding.message.replace(/,? ?(?:\.\.\.)?".*/s, '').replace(/[^.]$/, '$&.');
    const text = this.text(message, LONGEST_FINDING);
    return { severity, code, text, pointer: this.text(pointer, LONGEST_FINDING) };
  }

  /** A method, an id, a file: a short text of one line. */
  name(text: string): string {
    return this.text(text, LONGEST_NAME);
  }

  text(text: string, longest: number): string {
    const masked = this.showSecrets ? text : maskString(text);
    const line = masked.slice(0, longest + 1).replace(/\s+/g, ' ');
    return visible(line.length > longest ? `${line.slice(0, longest)}…` : line);
  }

  #finding(
    { severity, code, message, expected, received }: Finding,
    pointer: string,
    { secrets }: Printed,
    place: Place | undefined,
  ): RowFinding {
    const isSecret =
      !this.showSecrets &&
      (place?.isMasked === true ||
        [message, received ?? ''].some((text) => mentions(text, secrets)));
    const text = isSecret ? FINDINGS[code].rule : message;
    return {
      severity,
      code,
      text: this.text(text, LONGEST_FINDING),
      pointer: this.showSecrets ? this.text(pointer, LONGEST_FINDING) : maskPointer(pointer),
      expected: expected && this.text(expected, LONGEST_FINDING),
      received: received && (isSecret ? MASK : this.text(received, LONGEST_FINDING)),
      lines: place && [place.first, place.last],
    };
  }
}

function maskPointer(pointer: string): string {
  return visible(
    pointer
      .slice(0, LONGEST_FINDING)
      .split('/')
      .map((part) => maskText(part))
      .join('/'),
  );
}

/** A secret may be quoted and cut in a text. Shorter ones would be found in every text. */
const SHORTEST = 3;
const BEGINNING = 8;

function mentions(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => {
    const begin = JSON.stringify(secret).slice(1, 1 + BEGINNING);
    return (
      secret.length >= SHORTEST &&
      (text.includes(begin) || text.includes(secret.slice(0, BEGINNING)))
    );
  });
}
