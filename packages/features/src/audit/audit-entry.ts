import { storableText } from '@gatehouse/auth-core';
import { z } from 'zod';
import { instant } from '../core/inputs.js';

/** The filters of every list of the audit log. */
export const auditFilters = {
  actorId: z.number().int().positive().optional(),
  action: storableText(64).optional(),
  /** Inclusive. */
  from: instant.optional(),
  /** Exclusive. */
  until: instant.optional(),
};

/** An entry as all readers of the audit log see it. */
export const auditEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  action: z.string(),
  /** Null for a command of the operator. */
  actorId: z.int().nullable(),
  onBehalfOfId: z.int().nullable(),
  subjectKind: z.string().nullable(),
  subjectId: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
});
