import type { AccountRow } from '@gatehouse/db';
import { z } from 'zod';

/** An account as staff see it. */
export const accountView = z.object({
  id: z.int(),
  name: z.string(),
  /** The member who opened it. */
  ownerId: z.int(),
  createdAt: z.iso.datetime(),
});

export function toAccountView({ id, name, ownerId, createdAtMs }: AccountRow): z.output<typeof accountView> {
  return { id, name, ownerId, createdAt: new Date(createdAtMs).toISOString() };
}
