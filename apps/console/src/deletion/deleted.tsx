import type { Account, Member } from '@gatehouse/client-sdk/admin';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Card } from '@gatehouse/ui/parts/card';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { DELETED } from '../address-filters.js';
import { gatehouse } from '../client.js';
import { useMe } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { t } from './words.js';

export const DeletedScreen = inLanguage(Deleted);

const route = getRouteApi('/frame/deleted');
const PAGE = 50;

const WORDS = {
  deleting: 'deleted.byThemselves',
  deleted: 'deleted.byStaff',
  accounts: 'deleted.accounts',
} as const;

const CHOICE = 'inline-flex min-h-10 items-center border-b-3 px-3 wide:min-h-8';
const CHOSEN = { className: 'border-harbour font-semibold', 'aria-current': 'page' as const };
const OTHER = { className: 'border-transparent hover:bg-well' };

function Deleted(): ReactElement {
  return useMe().allAccounts ? <Lists /> : <Denied />;
}

function Lists(): ReactElement {
  const { of = 'deleting' } = route.useSearch();
  return (
    <Screen title={t('deleted.title')} lead={t('deleted.lead')}>
      <nav aria-label={t('deleted.which')} className="flex flex-wrap">
        {DELETED.map((each) => (
          <Link
            key={each}
            to="/deleted"
            search={each === 'deleting' ? {} : { of: each }}
            activeOptions={{ exact: true, includeSearch: true }}
            className={CHOICE}
            activeProps={CHOSEN}
            inactiveProps={OTHER}
          >
            {t(WORDS[each])}
          </Link>
        ))}
      </nav>
      {of === 'accounts' ? <Accounts /> : <Members key={of} state={of} />}
    </Screen>
  );
}

function Members({ state }: { readonly state: 'deleting' | 'deleted' }): ReactElement {
  const list = usePages<Member>(['members', 'gone', state], (page, signal) =>
    gatehouse.api.member.search.query({ ...page, limit: PAGE, search: '', state }, { signal }),
  );
  return (
    <Card title={t(WORDS[state])}>
      <QueryView answer={list} isPart>
        {(members) => (
          <Rows isEmpty={members.length === 0}>
            {members.map((member) => (
              <Row
                key={member.id}
                id={member.id}
                aside={member.email === null ? null : shownAddress(member.email)}
              >
                <Link to="/members/$memberId" params={{ memberId: String(member.id) }} className={LINK}>
                  <bdi>{shownName(member)}</bdi>
                </Link>
              </Row>
            ))}
          </Rows>
        )}
      </QueryView>
      <More of={list} />
    </Card>
  );
}

function Accounts(): ReactElement {
  const list = usePages<Account>(['accounts', 'gone'], (page, signal) =>
    gatehouse.api.account.search.query({ ...page, limit: PAGE, search: '', state: 'closed' }, { signal }),
  );
  return (
    <Card title={t('deleted.accounts')}>
      <QueryView answer={list} isPart>
        {(accounts) => (
          <Rows isEmpty={accounts.length === 0}>
            {accounts.map(({ id, name }) => (
              <Row key={id} id={id} aside={null}>
                <Link to="/accounts/$accountId" params={{ accountId: String(id) }} className={LINK}>
                  <bdi>{name}</bdi>
                </Link>
              </Row>
            ))}
          </Rows>
        )}
      </QueryView>
      <More of={list} />
    </Card>
  );
}

function Rows({
  isEmpty,
  children,
}: {
  readonly isEmpty: boolean;
  readonly children: ReactNode;
}): ReactElement {
  return isEmpty ? (
    <p role="status" className="p-3 text-quiet">
      {t('deleted.none')}
    </p>
  ) : (
    <ul className="divide-y divide-line">{children}</ul>
  );
}

function Row({
  id,
  aside,
  children,
}: {
  readonly id: number;
  readonly aside: string | null;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 p-3 wrap-anywhere">
      <span className="min-w-0">
        {children} <bdi className="text-quiet">{aside}</bdi>
      </span>
      <span className="font-mono text-quiet">#{id}</span>
    </li>
  );
}
