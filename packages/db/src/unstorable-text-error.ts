/**
 * A text holds what the databases cannot give back as it was sent: a NUL character (the embedded one ends the text
 * there) or half of a surrogate pair (UTF-8 has no form for it). The caller's input is at fault, not the service.
 */
export class UnstorableTextError extends Error {
  override readonly name = 'UnstorableTextError';

  constructor() {
    super('a text with a NUL character or a lone surrogate cannot be stored');
  }
}
