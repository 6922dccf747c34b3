import { CheckLine } from '@gatehouse/ui/form/check-group';
import { HOME_LINK, NavigationLink, Person, Side } from '@gatehouse/ui/frame/side';
import { t as ofFrame } from '@gatehouse/ui/frame/words';
import { Mark } from '@gatehouse/ui/parts/icons';
import { showsUtc, showUtc } from '@gatehouse/ui/screen/shown-time';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { tellSignedOut } from '@gatehouse/ui/session/signed-out';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { Link, type LinkProps, useLinkProps, useMatchRoute, useRouterState } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { gatehouse } from '../client.js';
import { PATHS } from '../links.js';
import { mayAnywhere, mayAsStaff, roleOf, useMe } from '../session/me.js';
import { MESSAGES, t } from '../words.js';
import { Palette } from './palette.js';

/** The sidebar of the console, with links to everything that the person may see. */
export function ConsoleSide(): ReactElement {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { member } = useMe();
  const [isFinding, setFinding] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setFinding(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Side
        path={path}
        home={
          <Link to="/" className={HOME_LINK}>
            <Mark />
            <span>
              {t('frame.name')} <span className="text-note font-normal text-quiet">{t('frame.kind')}</span>
            </span>
          </Link>
        }
      >
        <div className="flex flex-col gap-5">
          <button
            type="button"
            aria-haspopup="dialog"
            aria-keyshortcuts="Control+K"
            onClick={() => setFinding(true)}
            className="flex min-h-8 cursor-pointer items-center justify-between gap-2 rounded-small border border-edge bg-card px-2 text-quiet hover:text-ink"
          >
            {t('palette.open')}
            <span className="font-mono text-note" aria-hidden="true">
              Ctrl K
            </span>
          </button>
          <Navigation />
        </div>
        <Person
          name={
            <Link to="/me" className="underline decoration-line underline-offset-4 hover:decoration-current">
              <bdi>{shownName(member)}</bdi>
            </Link>
          }
          note={<bdi>{roleOf(member)}</bdi>}
          messages={MESSAGES}
          onSignOut={signOut}
        >
          <UtcSwitch />
        </Person>
      </Side>
      {isFinding ? <Palette onClose={() => setFinding(false)} onSignOut={() => void signOut()} /> : null}
    </>
  );
}

/** Shows times in UTC, as logs have them. */
function UtcSwitch(): ReactElement {
  const [isOn, setOn] = useState(showsUtc);
  return (
    <CheckLine
      label={t('frame.utc')}
      box={{
        checked: isOn,
        onChange: () => {
          showUtc(!isOn);
          setOn(!isOn);
        },
      }}
    />
  );
}

async function signOut(): Promise<void> {
  const { logoutUrl = PATHS.signIn } = await gatehouse.signOut();
  tellSignedOut(PATHS.home);
  await leaveTo(logoutUrl, { forGood: true });
}

/** The navigation, without what is not permitted. */
function Navigation(): ReactElement {
  const me = useMe();
  const seesMembers = mayAnywhere(me, 'member.list');
  return (
    <nav aria-label={ofFrame('frame.navigation')}>
      <ul>
        {mayAsStaff(me, 'audit.read') ? <Entry to="/">{t('frame.overview')}</Entry> : null}
        {seesMembers ? <Entry to="/members">{t('frame.members')}</Entry> : null}
        {mayAnywhere(me, 'account.read') ? <Entry to="/accounts">{t('frame.accounts')}</Entry> : null}
        {seesMembers ? <Entry to="/mail">{t('frame.mail')}</Entry> : null}
        {me.staffPermissions.includes('audit.read') ? <Entry to="/audit">{t('frame.audit')}</Entry> : null}
        {me.allAccounts ? <Entry to="/deleted">{t('frame.deleted')}</Entry> : null}
        {mayAsStaff(me, 'personnel.read') ? <Entry to="/staff">{t('frame.staff')}</Entry> : null}
        {mayAsStaff(me, 'partner.manage') ? <Entry to="/partners">{t('frame.partners')}</Entry> : null}
        {mayAsStaff(me, 'affiliate.read') ? <Entry to="/affiliates">{t('frame.affiliates')}</Entry> : null}
        {mayAsStaff(me, 'platformKey.manage') ? (
          <Entry to="/developers">{t('frame.developers')}</Entry>
        ) : null}
        {mayAsStaff(me, 'platformSso.manage') ? (
          <Entry to="/single-sign-on">{t('frame.singleSignOn')}</Entry>
        ) : null}
        {mayAsStaff(me, 'webhook.read') ? <Entry to="/webhooks">{t('frame.webhooks')}</Entry> : null}
      </ul>
    </nav>
  );
}

function Entry({
  children,
  to,
}: {
  readonly to: NonNullable<LinkProps['to']>;
  readonly children: ReactNode;
}): ReactElement {
  // A router link marks the screen that is loading.
  const isHere = useMatchRoute()({ to, fuzzy: to !== '/', pending: false, includeSearch: false }) !== false;
  return (
    <li>
      <NavigationLink isHere={isHere} link={useLinkProps({ to })}>
        {children}
      </NavigationLink>
    </li>
  );
}
