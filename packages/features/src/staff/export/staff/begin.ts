import { randomId } from '@gatehouse/auth-core';
import { z } from 'zod';
import { makeChange } from '../../../audit/make-change.js';
import { judgeByStaffRule, staffProcedure } from '../../../core/guard/procedures.js';
import { exportableList, exportedBy } from './exportable-lists.js';

const input = z
  .object({ list: exportableList, filters: z.record(z.string(), z.unknown()).default({}) })
  .superRefine(({ list, filters }, refinement) => {
    const { error, data = {} } = exportedBy(list).filters.safeParse(filters);
    for (const { path, message } of error?.issues ?? [])
      refinement.addIssue({ code: 'custom', path: ['filters', ...path], message });
    if (error) return;
    // Lists leave out what they do not know; the audit log would keep it.
    for (const name of Object.keys(filters).filter((each) => !Object.hasOwn(data, each)))
      refinement.addIssue({ code: 'custom', path: ['filters', name], message: 'is no filter of this list' });
  });

/**
 * Notes in the audit log that a list is about to leave as CSV, before its pages are read. Needs what the list itself needs.
 */
export const begin = staffProcedure()
  .meta({ about: { summary: 'Say that a list is taken as CSV' } })
  .input(input)
  .output(z.object({ data: z.object({ exportId: z.string() }) }))
  .mutation(async ({ ctx, input: { list, filters } }) => {
    const { access } = ctx.services;
    const judge = judgeByStaffRule(exportedBy(list).permission);
    const asker = { ...ctx, ...(await judge(ctx, access)), judge };
    const exportId = randomId();
    await makeChange(asker, {}, () =>
      Promise.resolve({
        result: undefined,
        record: {
          action: 'export.begun',
          subjectKind: 'export',
          subjectId: exportId,
          before: null,
          after: { list, ...filters },
        },
      }),
    );
    return { data: { exportId } };
  });
