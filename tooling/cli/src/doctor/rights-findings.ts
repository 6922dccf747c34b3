import type { MysqlRights } from '@gatehouse/db/rights/mysql-rights';
import { type Finding, finding } from './finding.js';

/** The number of missing rights listed by name; the rest are counted. */
const MAX_NAMED = 3;

/** The missing and excessive rights of the services' database user. */
export function rightsFindings({ mayChangeSchema, mayChangeAudit, missing }: MysqlRights): Finding[] {
  const named = missing.slice(0, MAX_NAMED).join(', ');
  const others = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
  return [
    finding(
      missing.length === 0,
      'rights: the services may do what they need',
      `rights: the user of DATABASE_URL lacks ${named}${others}; run gatehouse migrate with MIGRATION_DATABASE_URL, or what gatehouse grants prints`,
    ),
    finding(
      !mayChangeSchema,
      'rights: the services cannot change tables',
      'rights: the user of DATABASE_URL may change or drop tables; let another one migrate (MIGRATION_DATABASE_URL), and give this one what gatehouse grants prints',
    ),
    finding(
      !mayChangeAudit,
      'rights: the services cannot change the audit log',
      'rights: the user of DATABASE_URL may change or remove lines of the audit log; give it what gatehouse grants prints, and no more',
    ),
  ];
}
