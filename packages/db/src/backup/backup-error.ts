/** A backup or restore that was refused, with a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
