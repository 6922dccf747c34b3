import type { Account } from '@gatehouse/client-sdk/admin';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Button } from '@gatehouse/ui/parts/button';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { readAccountFilters } from '../address-filters.js';
import { gatehouse } from '../client.js';
import { mayAnywhere, useMe } from '../session/me.js';
import { SearchField } from '../shell/search-field.js';
import { t } from './words.js';

export const AccountsScreen = inLanguage(Accounts);

const route = getRouteApi('/frame/accounts');
const PAGE = 50;

function Accounts(): ReactElement {
  return mayAnywhere(useMe(), 'account.read') ? <Found /> : <Denied />;
}

function Found(): ReactElement {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const search = (q ?? '').trim().replace(/^#/, '');
  const list = usePages<Account>(
    ['accounts', search],
    (page, signal) => gatehouse.api.account.search.query({ ...page, limit: PAGE, search }, { signal }),
    { keepsPrevious: true },
  );
  return (
    <Screen title={t('accountList.title')} lead={t('accountList.lead')}>
      <div className="flex flex-col gap-4">
        <search>
          <SearchField
            label={t('accountList.search')}
            text={q ?? ''}
            onLook={(next) => void navigate({ search: readAccountFilters({ q: next }), replace: true })}
          />
        </search>
        <QueryView answer={list} isPart>
          {(accounts) =>
            accounts.length > 0 ? (
              <div aria-busy={list.isPlaceholderData}>
                <p role="status" className="pb-2 text-quiet">
                  {t(list.hasNextPage ? 'accountList.shownMany' : 'accountList.shown', {
                    count: accounts.length,
                  })}
                </p>
                <AccountsTable accounts={accounts} />
                <More of={list} />
              </div>
            ) : (
              <div className="flex flex-col items-start gap-3 border-t-2 border-ink bg-card p-3">
                <p role="status">{t(q === undefined ? 'accountList.none' : 'accountList.noneMatch')}</p>
                {q === undefined ? null : (
                  <Button onClick={() => void navigate({ search: {} })}>{t('accountList.clear')}</Button>
                )}
              </div>
            )
          }
        </QueryView>
      </div>
    </Screen>
  );
}

const HEAD = 'px-3 py-2 text-note font-normal text-quiet';

function AccountsTable({ accounts }: { readonly accounts: readonly Account[] }): ReactElement {
  return (
    <table className="w-full table-fixed border-t-2 border-ink bg-card" aria-label={t('accountList.title')}>
      <thead>
        <tr className="border-b border-line">
          <th scope="col" className={`${HEAD} text-start`}>
            {t('account.name')}
          </th>
          <th scope="col" className={`${HEAD} hidden w-32 text-start rows:table-cell`}>
            {t('account.since')}
          </th>
          <th scope="col" className={`${HEAD} w-20 text-end`}>
            {t('account.id')}
          </th>
        </tr>
      </thead>
      <tbody>
        {accounts.map(({ id, name, createdAt }) => (
          <tr key={id} className="border-b border-line hover:bg-well">
            <td className="px-3 py-2 wrap-anywhere">
              <Link
                to="/accounts/$accountId"
                params={{ accountId: String(id) }}
                className="inline-flex min-h-6 items-center font-semibold underline decoration-line underline-offset-4 hover:decoration-current"
              >
                <bdi>{name}</bdi>
              </Link>
            </td>
            <td className="hidden px-3 py-2 rows:table-cell">{shownDay(createdAt)}</td>
            <td className="px-3 py-2 text-end font-mono text-quiet">#{id}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
