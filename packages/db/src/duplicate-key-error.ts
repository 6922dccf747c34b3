/** A row was refused because a unique index already holds its key. */
export class DuplicateKeyError extends Error {
  override readonly name = 'DuplicateKeyError';
  /** The name of the unique index, the same on both databases: `members_username_key_unique`, or `PRIMARY`. */
  readonly constraint: string;

  constructor(constraint: string, options?: ErrorOptions) {
    super(`the unique index ${constraint} already holds this key`, options);
    this.constraint = constraint;
  }
}
