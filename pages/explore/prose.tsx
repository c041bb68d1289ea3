import { TypeLink } from './names.js';
import type { Known } from './names.js';

interface ProseProps {
  readonly text: string | undefined;
  readonly known: Known;
}

/** The name ends before the rest begins, so that a long text without an end is read once. */
const PART = /`([^`]+)`|\{@link ([\w$]+)(?![\w$])[^{}]*\}/;

/** A description: paragraphs, `code`, and links such as `{@link Tool}`. Everything else is plain text. */
export function Prose({ text, known }: ProseProps) {
  return (
    <>
      {text?.split(/\n{2,}/).map((paragraph) => (
        <p>
          {paragraph.split(PART).map((part, index) => {
            // Each match gives its code and its name after the text before it.
            if (index % 3 === 0 || part === undefined) return part;
            return index % 3 === 1 ? <code>{part}</code> : <TypeLink name={part} known={known} />;
          })}
        </p>
      ))}
    </>
  );
}
