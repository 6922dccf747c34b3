import type { Database } from '@gatehouse/db/database';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { respellAddresses } from '@gatehouse/db/queries/stored-addresses';
import { recordAudit } from '@gatehouse/features/audit/record-audit';
import {
  planRespelling,
  type Respelling,
  type RespellingPlan,
  respellingsIn,
} from '../addresses/plan-respelling.js';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { operatorAudit } from '../operator-audit.js';
import { createProgressBar, createProgressCount } from '../progress-bar.js';
import { withDatabase } from '../with-database.js';

/** Members per transaction. */
const AT_ONCE = 100;

export const canonicalAddresses = defineCommand({
  name: 'canonical-addresses',
  summary:
    'list the members whose address is not stored in its canonical form, and write it so; may be stopped and run again',
  usage: ['[--apply]; see docs/operations.md'],
  options: {
    apply: {
      type: 'boolean',
      default: false,
      about: 'write them; without it, nothing is written',
    },
  },
  run: (context, { values }) =>
    withDatabase(context, async (db) => {
      const { draw, say } = context;
      const comparing = createProgressCount({ title: 'addresses compared', draw });
      const plan = await planRespelling(db, comparing.advance);
      const { clear, collisions, unclear } = plan;
      for (const id of unclear)
        say(`member ${id}: has no canonical address, or one of another mailbox; staff can change it`);
      for (const [id, otherId] of collisions)
        say(`member ${id}: would have the address of member ${otherId}; staff can change one of them`);
      if (!values.apply) for (const id of clear) say(`member ${id}: can be written in canonical form`);
      const written = values.apply ? await apply(context, db, plan) : 0;
      const left = collisions.size + unclear.length;
      say(
        values.apply
          ? `${written} written, ${left} left for staff.`
          : `Nothing was written. ${clear.length} can be written with --apply, ${left} are for staff.`,
      );
      return left === 0 && written === clear.length ? 0 : 1;
    }),
});

/** Returns how many were written. */
async function apply(context: CommandContext, db: Database, plan: RespellingPlan): Promise<number> {
  const { draw, say } = context;
  const clear = new Set(plan.clear);
  const progress = createProgressBar({ title: 'members', total: clear.size, draw, say });
  let written = 0;
  for await (const { respellings } of respellingsIn(db)) {
    const planned = respellings.filter(({ id }) => clear.has(id));
    for (let index = 0; index < planned.length; index += AT_ONCE) {
      const batch = planned.slice(index, index + AT_ONCE);
      const left = await write(context, db, batch);
      for (const id of left)
        say(`member ${id}: somebody changed or took the address meanwhile; run it again`);
      written += batch.length - left.length;
      progress.advance(batch.length);
    }
  }
  return written;
}

/** Writes members in one transaction, or each separately if somebody took one of the addresses since they were compared. */
async function write(
  context: CommandContext,
  db: Database,
  batch: readonly Respelling[],
): Promise<readonly number[]> {
  const nowMs = Date.now();
  try {
    return await changeAccess(db, { members: batch.map(({ id }) => id) }, async (tx) => {
      const left: number[] = [];
      for (const each of batch) if (!(await respellAddresses(tx, { ...each, nowMs }))) left.push(each.id);
      const count = batch.length - left.length;
      const line = { atMs: nowMs, action: 'addresses.respelled', after: { count } };
      if (count > 0) await recordAudit(tx, operatorAudit(context), line);
      return left;
    });
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
    if (batch.length === 1) return batch.map(({ id }) => id);
    const left: number[] = [];
    for (const each of batch) left.push(...(await write(context, db, [each])));
    return left;
  }
}
