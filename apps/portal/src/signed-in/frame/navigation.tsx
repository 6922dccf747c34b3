import type { Permission } from '@gatehouse/client-sdk';
import { NavigationLink } from '@gatehouse/ui/frame/side';
import { t as ofFrame } from '@gatehouse/ui/frame/words';
import { Chevron } from '@gatehouse/ui/parts/icons';
import { roleName } from '@gatehouse/ui/team/role-name';
import { Link, type LinkProps, useLinkProps, useMatchRoute, useParams } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactElement, type ReactNode, useId, useRef, useState } from 'react';
import { lastAccount } from '../account/account-place.js';
import { isReadOnly, type OwnPlace, placesOf, useMe } from '../session/me.js';
import { t } from '../words.js';

/** The selected account, and the others. Choosing one changes the address, so each tab has its own account. */
function AccountSwitcher({
  places,
  current,
}: {
  readonly places: readonly OwnPlace[];
  readonly current: OwnPlace;
}): ReactElement {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const others = places.filter(({ accountId }) => accountId !== current.accountId);
  if (others.length === 0) {
    return (
      <p className="px-2 font-semibold">
        <bdi>{current.accountName}</bdi>
      </p>
    );
  }
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape') return;
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div>
      <button
        ref={button}
        onKeyDown={onKeyDown}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={t('frame.switch', { account: current.accountName })}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-10 w-full cursor-pointer items-center justify-between gap-2 rounded-small border border-edge bg-card px-2 py-1 text-start font-semibold hover:bg-paper"
      >
        <bdi className="line-clamp-2">{current.accountName}</bdi>
        <Chevron isOpen={isOpen} />
      </button>
      <ul id={id} hidden={!isOpen} className="max-h-72 overflow-y-auto border-x border-b border-line bg-card">
        {others.map(({ accountId, accountName, roleLabel }) => (
          <li key={accountId} className="border-t border-line first:border-0">
            <Link
              to="/a/$account"
              params={{ account: String(accountId) }}
              onKeyDown={onKeyDown}
              onClick={() => setOpen(false)}
              className="flex min-h-10 flex-col justify-center px-2 py-1 hover:bg-well"
            >
              <bdi>{accountName}</bdi>
              <bdi className="text-note text-quiet">{roleName(roleLabel)}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The navigation of the account and of one's own pages, without what is not permitted. */
export function Navigation(): ReactElement {
  const me = useMe();
  const { account } = useParams({ strict: false });
  const places = placesOf(me);
  const wanted = account ?? String(lastAccount());
  const current = places.find(({ accountId }) => String(accountId) === wanted) ?? places[0];
  return (
    <nav aria-label={ofFrame('frame.navigation')} className="flex flex-col gap-5">
      <ul>
        <Entry to="/" exact>
          {t('frame.home')}
        </Entry>
      </ul>
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
  const me = useMe();
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
      {(may('key.manage') || may('event.manage')) && !isReadOnly(me) ? (
        <Entry
          to={may('key.manage') ? '/a/$account/developers' : '/a/$account/developers/endpoints'}
          params={params}
        >
          {t('frame.developers')}
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

function Entry({
  children,
  exact = false,
  ...link
}: Pick<LinkProps, 'to' | 'params'> & {
  readonly children: ReactNode;
  readonly exact?: boolean;
}): ReactElement {
  // A router link marks the screen that is loading.
  const isHere = useMatchRoute()({ ...link, fuzzy: !exact, pending: false, includeSearch: false }) !== false;
  return (
    <li>
      <NavigationLink isHere={isHere} link={useLinkProps(link)}>
        {children}
      </NavigationLink>
    </li>
  );
}
