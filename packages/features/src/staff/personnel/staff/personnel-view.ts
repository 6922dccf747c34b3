import type { MemberDetail, PersonnelGrantRow } from '@gatehouse/db';
import { z } from 'zod';
import { changedMemberView, toChangedMemberView } from '../../../core/member-view.js';

/** A member of staff, with the accounts granted to them. */
export const personnelView = changedMemberView.extend({
  /** False if they are disabled: they are then not staff, and their grants have no effect. */
  active: z.boolean(),
  grants: z.array(z.object({ accountId: z.int(), accountName: z.string(), active: z.boolean() })),
});

export function toPersonnelView(
  row: MemberDetail,
  grants: readonly PersonnelGrantRow[],
  nowMs: number,
): z.output<typeof personnelView> {
  return { active: row.isPersonnel, grants: [...grants], ...toChangedMemberView(row, nowMs) };
}
