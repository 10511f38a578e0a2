/** Types of composers, for editors and readers. Browsers never load this file. */

/**
 * Builds the move of a form. A title sets its composer in `web/compose.js`, in most cases one of those in
 * `choose.js` and `chain.js`.
 */
export interface Composer {
  /** The current choice, as the send button with this number would send it. */
  chosen(form: HTMLFormElement, way: number): Chosen;
  /** The element of the form that gets the focus. */
  focus(form: HTMLFormElement): HTMLElement | null;
  /** The choice as a value that `restore` takes after an update; undefined if nothing is chosen. */
  keep(form: HTMLFormElement): any;
  /** Set that choice again, if it still exists. */
  restore(form: HTMLFormElement, kept: any): void;
  /** Clear the choice after it was sent. */
  forget(form: HTMLFormElement): void;
  /** Set the choice that the page came with. */
  refill(form: HTMLFormElement, chosen: string): void;
  /** Choose the links of a chain again, after the page was loaded. */
  resume?(form: HTMLFormElement, links: string): void;
  /** Whether the page shows a preview of the choice. */
  ahead?(form: HTMLFormElement): boolean;
}

export interface Chosen {
  /** The move in notation. */
  move: string;
  /**
   * The label for the button, or [sentence, clause] if the rules refuse the move; undefined if the move is
   * not complete yet.
   */
  words: string | [string, string] | undefined;
  /** Whether the choice leaves this button nothing to send, so that it is hidden. */
  none?: boolean;
}
