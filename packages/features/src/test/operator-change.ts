import type { PartnerChange } from '@gatehouse/features/partner/partner-change';
import type { RunningService } from '@gatehouse/testkit';

/** What the operator at the command line needs to change a partner of a running service. */
export function operatorChange({ kit, database }: RunningService): PartnerChange {
  const by = { actorId: null, address: null, requestId: null };
  return { db: database, cipher: kit.cipher, nowMs: kit.now(), by };
}
