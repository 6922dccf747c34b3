/**
 * A text that the databases cannot return unchanged: it contains a NUL character (the embedded database cuts
 * the text there) or half of a surrogate pair (UTF-8 cannot encode it). The input is wrong, not the service.
 */
export class UnstorableTextError extends Error {
  override readonly name = 'UnstorableTextError';

  constructor() {
    super('a text with a NUL character or a lone surrogate cannot be stored');
  }
}
