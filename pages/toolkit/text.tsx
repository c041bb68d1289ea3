import { Fragment } from 'preact';
import type { ComponentChildren } from 'preact';

/** A text with `code` between backticks. A backtick without a partner stays. */
export function WithCode({ text }: { readonly text: string }) {
  const parts = text.split(/`([^`]+)`/);
  return (
    <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}

/** Children with a separator between them. */
export function joined(
  children: readonly ComponentChildren[],
  separator: string,
): ComponentChildren[] {
  return children.map((child, index) => (
    <Fragment key={index}>
      {index > 0 && separator}
      {child}
    </Fragment>
  ));
}

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

/** A line of a `dl`. */
export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
