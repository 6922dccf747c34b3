/** The tables were made by a version whose migrations the present ones do not continue. */
export class EarlierTablesError extends Error {
  override readonly name = 'EarlierTablesError';

  constructor() {
    super(
      'The tables of this database were made by a version before 0.1.0, from which there is no upgrade: keep that version for it, or name an empty database.',
    );
  }
}
