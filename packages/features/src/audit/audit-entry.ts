import { storableText } from '@gatehouse/auth-core';
import { z } from 'zod';

const instant = z.iso.datetime({ offset: true }).transform((value) => Date.parse(value));

/** What every list of the audit log can be narrowed down by. */
export const auditFilters = {
  actorId: z.number().int().positive().optional(),
  action: storableText(64).optional(),
  /** Inclusive. */
  from: instant.optional(),
  /** Exclusive. */
  until: instant.optional(),
};

/** What every reader of the audit log sees of an entry. */
export const auditEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  action: z.string(),
  /** Null for what the operator did on the command line. */
  actorId: z.int().nullable(),
  onBehalfOfId: z.int().nullable(),
  subjectKind: z.string().nullable(),
  subjectId: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
});
