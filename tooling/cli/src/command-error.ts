/** A problem that stops a command, with a sentence that tells the operator what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
