import { AppError, storableText } from '@gatehouse/auth-core';
import { findMember } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { changeAndRecord } from '../../audit/change.js';
import { procedure } from '../../core/guard/procedure.js';
import { recordExportedAccounts } from '../export-own-member.js';
import { exportCursor, exportedPage, placeIn, readExportedPage } from '../exported-page.js';

/**
 * The calls that the audit log has recorded. A slow read is repeated within its call, and is still the same call; a batch is one
 * call with several.
 */
const recorded = new WeakMap<object, Set<string>>();

/**
 * The data that we hold of a member, as they export it themselves; deleted members until they are erased. Each page is in the
 * audit log before it is read, with the reason.
 */
export const exportMember = procedure({ who: 'root' })
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
    const lines = recorded.get(call) ?? new Set();
    recorded.set(call, lines);
    const line = JSON.stringify([memberId, reason, cursor]);
    if (!lines.has(line)) {
      await changeAndRecord(ctx, {}, async ({ tx, nowMs, caller }) => {
        if (!(await findMember(tx, memberId))) throw new AppError('not_found');
        if (place === undefined) await recordExportedAccounts(tx, ctx, { memberId, caller, nowMs });
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
      lines.add(line);
    }
    return readExportedPage(ctx, memberId, place);
  });
