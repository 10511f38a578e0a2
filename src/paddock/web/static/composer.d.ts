/** The types of composers, for editors and readers: browsers never load this file. */

/**
 * How the form of a decision is put together. A title names its own in `web/compose.js`, mostly one of those
 * of `choose.js` and `chain.js`.
 */
export interface Composer {
  /** What is chosen now. */
  chosen(form: HTMLFormElement): Chosen;
  /** Where the focus goes in the form. */
  focus(form: HTMLFormElement): HTMLElement | null;
  /** What an update must not undo; undefined where nothing is chosen. */
  keep(form: HTMLFormElement): any;
  /** Choose that again, as far as it is still there. */
  restore(form: HTMLFormElement, kept: any): void;
  /** Choose nothing: it was sent. */
  forget(form: HTMLFormElement): void;
  /** Choose what the page came with. */
  refill(form: HTMLFormElement, chosen: string): void;
  /** Whether the page shows where the choice would lead. */
  ahead?(form: HTMLFormElement): boolean;
}

export interface Chosen {
  /** In notation. */
  move: string;
  /**
   * What the server says of it: what the button says, or [sentence, clause] where the rules refuse it;
   * undefined where it is no whole move yet.
   */
  words: string | [string, string] | undefined;
}
