import type { Freshness, Rule } from './rule.js';

/** Who may call a procedure, as a phrase in Markdown. */
export function describeRule(rule: Rule | undefined): string {
  switch (rule?.who) {
    case undefined:
      return 'nobody';
    case 'anyone':
      return 'anyone';
    case 'bearer':
      return 'a Scheme B bearer token';
    case 'partner':
      return 'a partner';
    case 'authToken':
      return "a staff member's auth token";
    case 'member':
      return [
        rule.inPerson ? 'a member who signed in by themselves' : 'a signed-in member',
        rule.permissionInAccount
          ? `, with \`${rule.permissionInAccount}\` in the account if one is selected`
          : '',
        rule.byThemselves ? ', not staff acting for them' : '',
        rule.fresh ? lately(rule.fresh) : '',
        rule.fresh && rule.opensInRecovery ? ', or in a recovery' : '',
      ].join('');
    case 'account':
      return [
        rule.staffOnly ? 'staff with ' : '',
        rule.primaryOwner ? 'the primary owner of the account' : `\`${rule.permission}\` in the account`,
        rule.inPerson ? ', signed in by themselves' : '',
        rule.fresh ? lately(rule.fresh) : '',
        rule.orOwn ? ', or what is their own' : '',
        rule.staffWithoutAccount ? '; staff without one too' : '',
        rule.entitled ? ', which has a subscription' : '',
      ].join('');
    case 'staff':
      return [
        rule.permission ? `staff with \`${rule.permission}\`` : 'staff',
        rule.fresh ? lately(rule.fresh) : '',
      ].join('');
    case 'root':
      return `staff of base role 0${rule.fresh ? lately(rule.fresh) : ''}`;
  }
}

function lately({ seconds, onlyWithSecondFactor }: Freshness): string {
  const verified = `, verified within ${seconds / 60} minutes`;
  return onlyWithSecondFactor ? `${verified} if they sign in in two steps` : verified;
}
