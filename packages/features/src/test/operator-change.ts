import type { RunningService } from '@gatehouse/testkit';
import type { PartnerChange } from '../partner/partner-change.js';

/** What the operator at the command line needs to change a partner of a running service. */
export function operatorChange({ services, database }: RunningService): PartnerChange {
  return { db: database, services, nowMs: services.now(), actorId: null };
}
