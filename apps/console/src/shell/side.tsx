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

type To = NonNullable<LinkProps['to']>;
type Words = Parameters<typeof t>[0];

/** The navigation, without what is not permitted. */
function Navigation(): ReactElement {
  const me = useMe();
  const seesMembers = mayAnywhere(me, 'member.list');
  const groups: readonly (readonly [Words | null, ...(readonly [boolean, To, Words])[]])[] = [
    [null, [mayAsStaff(me, 'audit.read'), '/', 'frame.overview']],
    [
      'frame.people',
      [seesMembers, '/members', 'frame.members'],
      [mayAnywhere(me, 'account.read'), '/accounts', 'frame.accounts'],
      [seesMembers, '/help', 'help.title'],
      [mayAnywhere(me, 'member.manage'), '/bulk', 'job.bulk'],
      [me.allAccounts, '/deleted', 'frame.deleted'],
    ],
    [
      'frame.security',
      [me.staffPermissions.includes('audit.read'), '/audit', 'frame.audit'],
      [mayAsStaff(me, 'platformSso.manage'), '/single-sign-on', 'frame.singleSignOn'],
    ],
    [
      'frame.payments',
      [mayAsStaff(me, 'webhook.read'), '/webhooks', 'frame.webhooks'],
      [mayAsStaff(me, 'affiliate.read'), '/affiliates', 'frame.affiliates'],
    ],
    [
      'frame.integrations',
      [mayAsStaff(me, 'platformKey.manage'), '/developers', 'frame.developers'],
      [mayAsStaff(me, 'partner.manage'), '/partners', 'frame.partners'],
    ],
    [
      'frame.service',
      [seesMembers, '/mail', 'frame.mail'],
      [mayAsStaff(me, 'personnel.read'), '/staff', 'frame.staff'],
    ],
  ];
  return (
    <nav aria-label={ofFrame('frame.navigation')} className="flex flex-col gap-3">
      {groups.map(([name, ...entries]) => {
        const shown = entries.filter(([isPermitted]) => isPermitted);
        return shown.length === 0 ? null : (
          <ul key={name} aria-label={name === null ? undefined : t(name)}>
            {name === null ? null : (
              <li aria-hidden="true" className="px-2 text-note text-quiet">
                {t(name)}
              </li>
            )}
            {shown.map(([, to, words]) => (
              <Entry key={to} to={to}>
                {t(words)}
              </Entry>
            ))}
          </ul>
        );
      })}
    </nav>
  );
}

function Entry({ children, to }: { readonly to: To; readonly children: ReactNode }): ReactElement {
  // A router link marks the screen that is loading.
  const isHere = useMatchRoute()({ to, fuzzy: to !== '/', pending: false, includeSearch: false }) !== false;
  return (
    <li>
      <NavigationLink isHere={isHere} isDense link={useLinkProps({ to })}>
        {children}
      </NavigationLink>
    </li>
  );
}
