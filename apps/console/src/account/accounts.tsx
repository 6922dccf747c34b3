import type { ListedAccount } from '@gatehouse/client-sdk/admin';
import { FilterSelect } from '@gatehouse/ui/list/filter-select';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { SearchField } from '@gatehouse/ui/list/search-field';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ACCOUNT_SORTS, readAccountFilters } from '../address-filters.js';
import { gatehouse } from '../client.js';
import { mayAnywhere, useMe } from '../session/me.js';
import { NoneFound } from '../shell/none-found.js';
import { t as ofConsole } from '../words.js';
import { AccountsTable } from './accounts-table.js';
import { t } from './words.js';

export const AccountsScreen = inLanguage(Accounts);

const route = getRouteApi('/frame/accounts');
const PAGE = 50;

const SORT_WORDS = {
  name: 'accountList.byName',
  '-name': 'accountList.byNameBackwards',
  '-id': 'accountList.newest',
  id: 'accountList.oldest',
} as const;

function Accounts(): ReactElement {
  return mayAnywhere(useMe(), 'account.read') ? <Found /> : <Denied />;
}

function Found(): ReactElement {
  const { q, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const search = (q ?? '').trim().replace(/^#/, '');
  const list = usePages<ListedAccount>(
    ['accounts', search, sort],
    (page, signal) => gatehouse.api.account.search.query({ ...page, limit: PAGE, search, sort }, { signal }),
    { keepsPrevious: true },
  );
  const look = (next: Record<string, unknown>): void =>
    void navigate({ search: readAccountFilters({ q, sort, ...next }), replace: true });
  return (
    <Screen title={t('accountList.title')} lead={t('accountList.lead')}>
      <div className="flex flex-col gap-4">
        <search className="flex flex-col gap-3">
          <SearchField label={t('accountList.search')} text={q ?? ''} onLook={(next) => look({ q: next })} />
          {/* If there is room for all columns, their headers sort. */}
          <div className="wide:hidden">
            <FilterSelect
              label={ofConsole('sort.label')}
              value={sort ?? 'id'}
              choices={ACCOUNT_SORTS.map((value) => ({ value, label: t(SORT_WORDS[value]) }))}
              onChange={(next) => look({ sort: next })}
            />
          </div>
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
                <AccountsTable
                  accounts={accounts}
                  sorting={{ order: sort, onChange: (next) => look({ sort: next }) }}
                />
                <More of={list} />
              </div>
            ) : (
              <NoneFound
                words={t(q === undefined ? 'accountList.none' : 'accountList.noneMatch')}
                clear={q === undefined ? undefined : t('accountList.clear')}
                onClear={() => look({ q: undefined })}
              />
            )
          }
        </QueryView>
      </div>
    </Screen>
  );
}
