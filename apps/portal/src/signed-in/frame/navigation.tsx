import type { Permission } from '@gatehouse/client-sdk';
import { Link, type LinkProps, useParams } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useId } from 'react';
import { lastAccount } from '../account/last-account.js';
import { isReadOnly, type OwnPlace, placesOf, useMe } from '../session/me.js';
import { t } from '../words.js';
import { AccountSwitcher } from './account-switcher.js';

/** Where one can go: in the account, and about oneself. What is not permitted is not there. */
export function Navigation(): ReactElement {
  const me = useMe();
  const { account } = useParams({ strict: false });
  const places = placesOf(me);
  const wanted = account ?? String(lastAccount());
  const current = places.find(({ accountId }) => String(accountId) === wanted) ?? places[0];
  return (
    <nav aria-label={t('frame.navigation')} className="flex flex-col gap-5">
      {current === undefined ? null : (
        <Group title={t('frame.account')}>
          <AccountSwitcher places={places} current={current} />
          <AccountLinks place={current} />
        </Group>
      )}
      <Group title={t('frame.you')}>
        <ul>
          <Entry to="/you" exact>
            {t('frame.profile')}
          </Entry>
          {isReadOnly(me) ? null : <Entry to="/you/security">{t('frame.security')}</Entry>}
          <Entry to="/you/sessions">{t('frame.sessions')}</Entry>
          {isReadOnly(me) ? null : <Entry to="/you/connections">{t('frame.connections')}</Entry>}
          <Entry to="/you/partners">{t('frame.partners')}</Entry>
          {isReadOnly(me) ? null : <Entry to="/you/data">{t('frame.data')}</Entry>}
        </ul>
      </Group>
    </nav>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-1.5">
      <h2 id={id} className="px-2 text-note text-quiet">
        {title}
      </h2>
      {children}
    </section>
  );
}

function AccountLinks({ place }: { readonly place: OwnPlace }): ReactElement {
  const params = { account: String(place.accountId) };
  const may = (permission: Permission) => place.permissions.includes(permission);
  return (
    <ul>
      {may('member.list') ? (
        <Entry to="/a/$account/team" params={params}>
          {t('frame.team')}
        </Entry>
      ) : null}
      {may('account.read') ? (
        <Entry to="/a/$account/billing" params={params}>
          {t('frame.billing')}
        </Entry>
      ) : null}
      {may('account.manage') ? (
        <Entry to="/a/$account/settings" params={params}>
          {t('frame.settings')}
        </Entry>
      ) : null}
    </ul>
  );
}

const SHAPE = 'flex min-h-10 items-center border-s-3 px-2 wide:min-h-8';

function Entry({
  children,
  exact = false,
  ...link
}: Pick<LinkProps, 'to' | 'params'> & {
  readonly children: ReactNode;
  readonly exact?: boolean;
}): ReactElement {
  return (
    <li>
      <Link
        {...link}
        activeOptions={{ exact }}
        className={SHAPE}
        activeProps={{ className: 'border-harbour bg-card font-semibold', 'aria-current': 'page' }}
        inactiveProps={{ className: 'border-transparent hover:bg-card' }}
      >
        {children}
      </Link>
    </li>
  );
}
