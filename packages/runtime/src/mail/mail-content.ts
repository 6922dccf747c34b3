/**
 * The content of a mail, without its layout. The only text from other people is names, shortened and without
 * links (`mailName`): a person who enters somebody else's address must not be able to write our mail.
 */
export interface MailContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The one action, as a button in HTML and a URL in text. */
  readonly action?: { readonly label: string; readonly link: string };
  /** A code to type in, shown large. */
  readonly code?: string;
  readonly closing: readonly string[];
}
