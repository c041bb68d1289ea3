import { Component } from 'preact';
import type { ComponentChildren } from 'preact';

interface Props {
  readonly container: () => HTMLElement | null;
  /** What gets the focus instead. */
  readonly fallback: () => HTMLElement | null | undefined;
  readonly children: ComponentChildren;
}

/** Moves the focus when a change removes the element that has it, such as the button of an action that is done. */
export class KeepsFocus extends Component<Props> {
  override getSnapshotBeforeUpdate(): boolean {
    return this.#hasFocus();
  }

  override componentDidUpdate(_: Props, __: object, hadFocus: boolean): void {
    if (hadFocus && !this.#hasFocus()) this.props.fallback()?.focus({ preventScroll: true });
  }

  #hasFocus(): boolean {
    return this.props.container()?.contains(document.activeElement) ?? false;
  }

  override render(): ComponentChildren {
    return this.props.children;
  }
}
