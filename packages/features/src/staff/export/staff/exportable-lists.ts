import type { Permission, StaffPermission } from '@gatehouse/auth-core';
import type { Rule } from '@gatehouse/http/trpc/procedure-rule';
import { z } from 'zod';
import { list as accountList } from '../../../account/staff/list.js';
import { members as accountMembers } from '../../../account/staff/members.js';
import { names as accountNames } from '../../../account/staff/names.js';
import { search as accountSearch } from '../../../account/staff/search.js';
import { listFor as securityEventListFor } from '../../../audit/security-event/staff/list-for.js';
import { list as auditList } from '../../../audit/staff/list.js';
import { listFor as sessionListFor } from '../../../authentication/staff/member-sessions.js';
import { list as webhookList } from '../../../billing/staff/webhook/list.js';
import { list as mailList } from '../../../mail/staff/list.js';
import { owners } from '../../../member/staff/owners.js';
import { search as memberSearch } from '../../../member/staff/search.js';
import { list as partnerList } from '../../../partner/staff/partner-administration.js';
import { referrals } from '../../affiliate/staff/referrals.js';
import { search as affiliateSearch } from '../../affiliate/staff/search.js';
import { list as impersonationList } from '../../impersonation/staff/list.js';
import { list as personnelList } from '../../personnel/staff/list.js';
import { searchManagers } from '../../personnel/staff/search-managers.js';

/** The lists that staff may take with them as CSV, by the names of their procedures. */
const LISTS = {
  'account.list': accountList,
  'account.members': accountMembers,
  'account.names': accountNames,
  'account.search': accountSearch,
  'affiliate.referrals': referrals,
  'affiliate.search': affiliateSearch,
  'audit.list': auditList,
  'impersonation.list': impersonationList,
  'mail.list': mailList,
  'member.owners': owners,
  'member.search': memberSearch,
  'partner.list': partnerList,
  'personnel.list': personnelList,
  'personnel.searchManagers': searchManagers,
  'securityEvent.listFor': securityEventListFor,
  'session.listFor': sessionListFor,
  'webhook.list': webhookList,
};

export type ExportableList = keyof typeof LISTS;

export const exportableList = z.enum(Object.keys(LISTS).filter(isExportable));

const definition = z.object({
  meta: z.object({ rule: z.custom<Rule>() }),
  inputs: z.array(z.custom<z.ZodType<object>>((schema) => schema instanceof z.ZodType)),
});

/** The permission that a list itself needs, and what it can be filtered by. */
export function exportedBy(list: ExportableList): {
  readonly permission: Permission | StaffPermission;
  readonly filters: z.ZodType<object>;
} {
  const { meta, inputs } = definition.parse(LISTS[list]._def);
  const [filters = z.object({})] = inputs;
  const { rule } = meta;
  if (rule.who !== 'staff' || rule.permission === undefined)
    throw new TypeError(`${list} is not a list for staff with a permission`);
  return { permission: rule.permission, filters };
}

function isExportable(name: string): name is ExportableList {
  return Object.hasOwn(LISTS, name);
}
