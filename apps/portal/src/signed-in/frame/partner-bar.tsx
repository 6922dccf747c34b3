import { Banner } from '@gatehouse/ui/parts/banner';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { useRouterState } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { signInAndReturn } from '../../links.js';
import { useMe } from '../session/me.js';
import { t } from '../words.js';

/** Says on every screen that a partner began the session, and leads to one in which everything can be done. */
export function PartnerBar(): ReactElement | null {
  const { partner } = useMe();
  // The link leads back to where this is.
  useRouterState({ select: ({ location: here }) => here.href });
  if (partner === null) return null;
  const { name } = partner;
  return (
    <Banner tone="pending">
      {rich(t('partner.signedIn'), {
        partner: (inner) => (name === null ? inner : <bdi className="font-semibold">{name}</bdi>),
        self: (inner) => <Link href={signInAndReturn(location.pathname + location.search)}>{inner}</Link>,
      })}
    </Banner>
  );
}
