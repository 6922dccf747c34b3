import { type AdminOutputs, ROLES } from '@gatehouse/client-sdk/admin';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { SearchField } from '@gatehouse/ui/list/search-field';
import { Card } from '@gatehouse/ui/parts/card';
import { RowMark } from '@gatehouse/ui/parts/icons';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, roleOf, useMe } from '../session/me.js';
import { ActionLink } from '../shell/action-links.js';
import { t } from '../words.js';

export const StaffScreen = inLanguage(Staff);

type Colleague = AdminOutputs['personnel']['list']['data'][number];

const route = getRouteApi('/frame/staff');

function Staff(): ReactElement {
  return mayAsStaff(useMe(), 'personnel.read') ? <Listed /> : <Denied />;
}

function Listed(): ReactElement {
  const me = useMe();
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePages<Colleague>(
    ['staff', q],
    (page, signal) => gatehouse.api.personnel.list.query({ ...page, search: q }, { signal }),
    { keepsPrevious: true },
  );
  return (
    <Screen
      title={t('staff.title')}
      lead={t(me.allAccounts ? 'staff.lead' : 'staff.leadSome')}
      actions={
        mayAsStaff(me, 'personnel.manage') ? <ActionLink to="/staff/new">{t('staff.add')}</ActionLink> : null
      }
    >
      <div className="flex flex-col gap-4">
        <SearchField
          label={t('staff.search')}
          text={q}
          onLook={(next) => void navigate({ search: next === '' ? {} : { q: next }, replace: true })}
        />
        <Card title={t('staff.title')}>
          <QueryView answer={list} isPart>
            {(colleagues) => (
              <div aria-busy={list.isPlaceholderData}>
                {colleagues.length === 0 ? <p className="p-3 text-quiet">{t('staff.none')}</p> : null}
                <ul className="divide-y divide-line">
                  {colleagues.map((colleague) => (
                    <Row key={colleague.id} colleague={colleague} />
                  ))}
                </ul>
                <More of={list} />
              </div>
            )}
          </QueryView>
        </Card>
      </div>
    </Screen>
  );
}

function Row({ colleague }: { readonly colleague: Colleague }): ReactElement {
  const { id, email, active, grants, lastLoginAt, role_type, baseRole } = colleague;
  const isBanned = role_type === ROLES.archived;
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 p-3">
      <span className="pt-1">
        <RowMark tone={active && !isBanned ? 'ok' : 'error'} />
      </span>
      <div className="grid gap-x-3 wrap-anywhere rows:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div>
          <Link
            to="/staff/$personnelId"
            params={{ personnelId: String(id) }}
            className="inline-flex min-h-6 items-center font-semibold underline decoration-line underline-offset-4 hover:decoration-current"
          >
            <bdi>{shownName(colleague)}</bdi>
          </Link>
          <p className="text-quiet">
            <bdi>{email === null ? null : shownAddress(email)}</bdi>
          </p>
        </div>
        <div>
          <p>
            <bdi>{roleOf(colleague)}</bdi>
            {isBanned ? <span className="text-brick"> {t('state.banned')}</span> : null}
            {active ? null : <span className="text-quiet">, {t('staff.off')}</span>}
          </p>
          <p className="text-quiet">
            {baseRole === ROLES.admin ? t('staff.everywhere') : t('staff.grants', { count: grants.length })},{' '}
            {lastLoginAt === null ? t('staff.never') : t('staff.seen', { time: shownTime(lastLoginAt) })}
          </p>
        </div>
      </div>
    </li>
  );
}
