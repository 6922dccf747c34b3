import type { RunningService } from '@gatehouse/testkit';
import type { PartnerChange } from '../partner/change-partner.js';

/** The dependencies for changing a partner of a running service from the command line. */
export function operatorChange({ services, database }: RunningService): PartnerChange {
  return { db: database, services, nowMs: services.now(), actorId: null };
}
