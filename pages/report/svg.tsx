import type { ComponentChildren } from 'preact';

interface BarProps {
  readonly kind: string;
  /** In units of the picture. */
  readonly at: readonly [x: number, y: number, width: number, height: number];
  /** A text for the pointer. */
  readonly title?: string;
}

/** A rectangle in a picture. */
export function Bar({ kind, at, title }: BarProps) {
  const [x, y, width, height] = at.map((each) => each.toFixed(2));
  return (
    <rect class={kind} {...{ x, y, width, height }}>
      {title !== undefined && <title>{title}</title>}
    </rect>
  );
}

interface PictureProps {
  readonly kind: string;
  readonly size: readonly [width: number, height: number];
  /** What it shows. It has no text, because it is stretched to its place. */
  readonly label: string;
  readonly children: ComponentChildren;
}

export function Picture({ kind, size, label, children }: PictureProps) {
  return (
    <svg
      class={kind}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size.join(' ')}`}
      preserveAspectRatio="none"
    >
      {children}
    </svg>
  );
}
