import { AppError, storableText } from '@gatehouse/auth-core';
import { findMember } from '@gatehouse/db';
import { z } from 'zod';
import { rootProcedure } from '../../app/procedures.js';
import { makeChange } from '../../audit/make-change.js';
import { exportCursor, exportedPage, placeIn, readExportedPage } from '../exported-page.js';

/** The calls that stand in the audit log. A slow read is made anew within its call, and is the same one then. */
const recorded = new WeakSet<object>();

/**
 * Everything we hold of a member that is theirs, as they export it themselves; deleted members until they are erased. Each
 * page stands in the audit log before it is read, with the reason.
 */
export const exportMember = rootProcedure
  .meta({ about: { summary: 'Export all that is held of a member', refuses: ['not_found'] } })
  .input(
    z.strictObject({
      memberId: z.number().int().positive(),
      reason: storableText(500).min(1),
      cursor: exportCursor,
    }),
  )
  .output(exportedPage)
  .query(async ({ ctx, input: { memberId, reason, cursor } }) => {
    const { services, call } = ctx;
    const place = placeIn(services.cipher, memberId, cursor);
    if (!recorded.has(call)) {
      await makeChange(ctx, {}, async (tx) => {
        if (!(await findMember(tx, memberId))) throw new AppError('not_found');
        return {
          result: undefined,
          record: {
            action: 'member.exported',
            onBehalfOfId: memberId,
            subjectKind: 'member',
            subjectId: memberId,
            before: null,
            after: { reason, isFirstPage: place === undefined },
          },
        };
      });
      recorded.add(call);
    }
    return readExportedPage(services, memberId, place);
  });
