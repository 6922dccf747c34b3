import { HOME_LINK, Person, Side } from '@gatehouse/ui/frame/side';
import { Link as TextLink } from '@gatehouse/ui/parts/link';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { tellSignedOut } from '@gatehouse/ui/session/signed-out';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { BrandLinks, BrandName } from '../../brand.js';
import { gatehouse } from '../../client.js';
import { SCREENS } from '../../links.js';
import { useSettings } from '../../signed-out/settings.js';
import { keep } from '../../tab-storage.js';
import { recordSignedIn } from '../../was-signed-in.js';
import { useMe } from '../session/me.js';
import { MESSAGES, t } from '../words.js';
import { Navigation } from './navigation.js';

/** The sidebar of the portal: the accounts, and the member's own pages. */
export function PortalSide(): ReactElement {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { member, actor } = useMe();
  const { brand } = useSettings();
  return (
    <Side
      path={path}
      home={
        <Link to="/" className={HOME_LINK}>
          <BrandName />
        </Link>
      }
    >
      <Navigation />
      <Person
        name={<bdi>{shownName(member)}</bdi>}
        note={member.email === null ? null : <bdi>{shownAddress(member.email)}</bdi>}
        messages={MESSAGES}
        // An impersonation is ended in its own bar.
        onSignOut={
          actor === null
            ? async () => {
                const { logoutUrl = SCREENS.signIn } = await gatehouse.signOut();
                tellSignedOut(SCREENS.home);
                recordSignedIn(false);
                keep('signedOut', 'yes');
                await leaveTo(logoutUrl, { forGood: true });
              }
            : undefined
        }
      >
        {brand.home === undefined ? null : (
          <p className="flex min-h-6 items-center">
            <TextLink href={brand.home}>{t('frame.back', { product: brand.name })}</TextLink>
          </p>
        )}
        <BrandLinks />
      </Person>
    </Side>
  );
}
