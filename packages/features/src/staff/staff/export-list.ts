import { type Permission, randomId, type StaffPermission } from '@gatehouse/auth-core';
import type { Rule } from '@gatehouse/http/trpc/procedure-rule';
import { z } from 'zod';
import {
  listAccountNamesForStaff,
  listAccountsForStaff,
  listMembersOfOwner,
  searchAccountsForStaff,
} from '../../account/staff/reached-accounts.js';
import { platformApplicationProcedures } from '../../application/staff/platform-application-procedures.js';
import { changeAndRecord } from '../../audit/change.js';
import { listAuditForStaff } from '../../audit/staff/list-audit-for-staff.js';
import { listSecurityEventsOf } from '../../audit/staff/list-security-events.js';
import { listFor as sessionListFor } from '../../authentication/staff/member-sessions.js';
import { listWebhooksForStaff } from '../../billing/staff/webhook-deliveries.js';
import { authorizeBy } from '../../core/guard/authorize-by-rule.js';
import { staffProcedure } from '../../core/guard/procedure.js';
import { endpointsOfPartnersProcedures } from '../../endpoint/staff/endpoints-of-partners.js';
import { platformDeliveryProcedures } from '../../endpoint/staff/platform-endpoint-procedures.js';
import { staffKeyProcedures, staffMachineProcedures } from '../../machine/staff/staff-machine-procedures.js';
import { listMailsForStaff } from '../../mail/staff/staff-mails.js';
import { searchMembersForStaff, searchOwners } from '../../member/staff/search-members-for-staff.js';
import { list as partnerList } from '../../partner/staff/partner-administration.js';
import { platformSsoProcedures } from '../../sso/staff/platform-sso-procedures.js';
import { listPersonnelForStaff, searchManagers } from './list-personnel-for-staff.js';
import { listReferralsForStaff, searchAffiliatesForStaff } from './manage-affiliates.js';
import { listImpersonationsForStaff } from './manage-impersonations.js';

/** The lists that staff may export as CSV, by the names of their procedures. */
const LISTS = {
  'account.list': listAccountsForStaff,
  'account.members': listMembersOfOwner,
  'account.names': listAccountNamesForStaff,
  'account.search': searchAccountsForStaff,
  'affiliate.referrals': listReferralsForStaff,
  'affiliate.search': searchAffiliatesForStaff,
  'audit.list': listAuditForStaff,
  'eventDelivery.list': platformDeliveryProcedures.list,
  'impersonation.list': listImpersonationsForStaff,
  'key.list': staffKeyProcedures.list,
  'machine.list': staffMachineProcedures.list,
  'mail.list': listMailsForStaff,
  'member.owners': searchOwners,
  'member.search': searchMembersForStaff,
  'partner.list': partnerList,
  'partnerEvent.listDeliveries': endpointsOfPartnersProcedures.listDeliveries,
  'platformApp.blockedHosts': platformApplicationProcedures.blockedHosts,
  'platformApp.connected': platformApplicationProcedures.connected,
  'platformApp.list': platformApplicationProcedures.list,
  'platformSso.list': platformSsoProcedures.list,
  'personnel.list': listPersonnelForStaff,
  'personnel.searchManagers': searchManagers,
  'securityEvent.listFor': listSecurityEventsOf,
  'session.listFor': sessionListFor,
  'webhook.list': listWebhooksForStaff,
};

type ExportableList = keyof typeof LISTS;

export const exportableList = z.enum(Object.keys(LISTS).filter(isExportable));

const definition = z.object({
  meta: z.object({ rule: z.custom<Rule>() }),
  inputs: z.array(z.custom<z.ZodType<object>>((schema) => schema instanceof z.ZodType)),
});

/** The permission that a list itself needs, and what it can be filtered by. */
function exportedBy(list: ExportableList): {
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

const input = z
  .object({ list: exportableList, filters: z.record(z.string(), z.unknown()).default({}) })
  .superRefine(({ list, filters }, refinement) => {
    const { error, data = {} } = exportedBy(list).filters.safeParse(filters);
    for (const { path, message } of error?.issues ?? [])
      refinement.addIssue({ code: 'custom', path: ['filters', ...path], message });
    if (error) return;
    // Lists ignore unknown filters; the audit log would store them.
    for (const name of Object.keys(filters).filter((each) => !Object.hasOwn(data, each)))
      refinement.addIssue({ code: 'custom', path: ['filters', name], message: 'is no filter of this list' });
  });

/**
 * Notes in the audit log that a list is about to be exported as CSV, before its pages are read. Requires what the list itself
 * requires.
 */
export const beginExport = staffProcedure()
  .meta({ about: { summary: 'Say that a list is taken as CSV' } })
  .input(input)
  .output(z.object({ data: z.object({ exportId: z.string() }) }))
  .mutation(async ({ ctx, input: { list, filters } }) => {
    const { access } = ctx.services;
    const authorize = authorizeBy({
      who: 'staff',
      permission: exportedBy(list).permission,
      inAccounts: true,
    });
    const asker = { ...ctx, ...(await authorize(ctx, access)), authorize };
    const exportId = randomId();
    await changeAndRecord(asker, {}, () =>
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
