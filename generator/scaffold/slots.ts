import { applyEdits } from './edit.js';
import type { Features, Slot } from './template.js';

/**
 * The file of a template for a project: in place of the text that each slot has under the template's own choices, it
 * has the text for the project's.
 *
 * @throws when the template's file does not contain the text of a slot exactly once.
 */
export function fillSlots(
  file: string,
  text: string,
  slots: readonly Slot[],
  { own, chosen }: { readonly own: Features; readonly chosen: Features },
): string {
  const edits = slots
    .filter((slot) => slot.file === file)
    .map((slot) => {
      const before = slot.text(own);
      const start = text.indexOf(before);
      if (before === '' || start < 0 || text.includes(before, start + 1)) {
        throw new Error(`The template's ${file} must contain this exactly once:\n${before}`);
      }
      return { start, end: start + before.length, text: slot.text(chosen) };
    });
  return applyEdits(text, edits);
}
