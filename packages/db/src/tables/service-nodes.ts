import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The running nodes, and what each says of itself. */
export const defineServiceNodes = (v: Vocabulary) =>
  v.table(
    'service_nodes',
    {
      /** The process: made at its start. */
      name: v.key(128).primaryKey(),
      service: v.string(32),
      /** The longest that a call waited for the log of access changes since the report before. */
      slowestMs: v.integer(),
      reportedAtMs: v.instant(),
    },
    [index('removes nodes that are gone', 'reportedAtMs')],
  );
