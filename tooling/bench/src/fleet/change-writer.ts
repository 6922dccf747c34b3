import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';

/** Members that do not exist, so that no cache has them. */
const FIRST_MEMBER = 1_000_000_000;

export interface ChangeWriter {
  /** Member of a change → when the database acknowledged it. */
  readonly acknowledged: ReadonlyMap<number, number>;
  stop(): Promise<void>;
}

/** Changes access at the requested rate. */
export function writeChanges(db: Database, perSecond: number): ChangeWriter {
  const acknowledged = new Map<number, number>();
  const changes: Promise<void>[] = [];
  let memberId = FIRST_MEMBER;
  const change = async (id: number) => {
    await changeAccess(db, { members: [id] }, () => Promise.resolve());
    acknowledged.set(id, performance.timeOrigin + performance.now());
  };
  const timer = setInterval(() => {
    memberId += 1;
    changes.push(change(memberId));
  }, 1_000 / perSecond);
  return {
    acknowledged,
    async stop() {
      clearInterval(timer);
      await Promise.all(changes);
    },
  };
}
