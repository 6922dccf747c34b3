import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import type { StatusTone } from '@gatehouse/ui/parts/icons';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { t } from './words.js';

/** A connection in the list of all accounts. */
export type ListedConnection = AdminOutputs['platformSso']['list']['data'][number];

type State = Pick<ListedConnection, 'active' | 'hasChanges'>;

/** The standards, as people call them. */
export const KINDS: Readonly<Record<ListedConnection['kind'], string>> = {
  oidc: 'OpenID Connect',
  saml: 'SAML',
};

/** Whether people sign in by a connection. */
export function stateOf({ active, hasChanges }: State): {
  readonly tone: StatusTone;
  readonly words: string;
} {
  if (!active) return { tone: 'pending', words: t('sso.inactive') };
  return { tone: 'ok', words: t(hasChanges ? 'sso.changed' : 'sso.active') };
}

/** When the certificate of an identity provider ends, in a sentence. */
export function endOf(endsAt: string): string {
  const isOver = Date.parse(endsAt) <= Date.now();
  return t(isOver ? 'sso.certificateEnded' : 'sso.certificateEnds', { day: shownDay(endsAt) });
}
