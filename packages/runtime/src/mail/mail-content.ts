/**
 * What a mail says, apart from how it looks. Nothing in it was typed by somebody else than its reader but names, cut and
 * without links (`mailName`): whoever enters another's address must not be able to put words into a mail of ours.
 */
export interface MailContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The one thing to do, as a button in HTML and an address in text. */
  readonly action?: { readonly label: string; readonly link: string };
  /** Something to type in, shown large. */
  readonly code?: string;
  readonly closing: readonly string[];
}
