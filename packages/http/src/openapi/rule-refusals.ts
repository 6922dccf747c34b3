import type { ErrorCode } from '@gatehouse/auth-core';
import type { Freshness, Rule } from '../trpc/rule.js';

const SIGNED_IN = ['unauthorized', 'origin_refused', 'invalid_account'] as const;

/** The refusals of a guard: the codes that come with a rule. */
export function ruleRefusals(rule: Rule): readonly ErrorCode[] {
  switch (rule.who) {
    case 'anyone':
      return [];
    case 'bearer':
      return ['bearer_refused'];
    case 'partner':
      return ['invalid_partner_token'];
    case 'authToken':
      return ['unauthorized'];
    case 'member':
      return [
        ...SIGNED_IN,
        ...(rule.permissionInAccount ? (['account_forbidden'] as const) : []),
        ...(rule.inPerson || rule.byThemselves ? (['permission_denied'] as const) : []),
        ...freshRefusals(rule),
      ];
    case 'account':
      return [
        ...SIGNED_IN,
        'account_required',
        'account_forbidden',
        ...(rule.orOwn ? [] : (['permission_denied'] as const)),
        ...freshRefusals(rule),
        ...(rule.entitled ? (['subscription_required'] as const) : []),
      ];
    case 'staff':
      return [
        ...SIGNED_IN,
        'permission_denied',
        ...(rule.inAccounts ? (['account_forbidden'] as const) : []),
        ...freshRefusals(rule),
      ];
    case 'root':
      return [...SIGNED_IN, 'permission_denied', ...freshRefusals(rule)];
  }
}

function freshRefusals({ fresh }: { readonly fresh?: Freshness }): readonly ErrorCode[] {
  return fresh ? ['verification_required'] : [];
}
