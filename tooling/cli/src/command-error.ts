/** What keeps a command from its work, in a sentence for the operator that says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
