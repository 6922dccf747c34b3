import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { askForRows } from '@gatehouse/ui/list/ask-for-rows';
import { RowAction } from '@gatehouse/ui/list/paged-list';
import { SearchField } from '@gatehouse/ui/list/search-field';
import { Card } from '@gatehouse/ui/parts/card';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { LINK } from '../shell/action-links.js';
import { t } from '../words.js';
import { type Colleague, saveColleague } from './colleague-fields.js';

/** The number of suggested accounts. */
const FEW = 8;
/** The most that the service lists at once. */
const MOST = 200;

/** The accounts that a colleague works in, of those that the reader sees. */
export function GrantsCard({
  colleague,
  mayManage,
  onNotice,
}: {
  readonly colleague: Colleague;
  readonly mayManage: boolean;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const { id: personnelId, grants } = colleague;
  const queries = useQueryClient();
  const mutation = useMutationState();
  const granted = grants.map(({ accountId }) => accountId);

  function grant(accountIds: readonly number[], notice: string): void {
    onNotice(undefined);
    mutation.send(async (signal) => {
      await saveColleague(queries, { personnelId, accountIds: [...accountIds] }, signal);
      onNotice(notice);
    });
  }

  return (
    <Card title={t('grants.title')}>
      {grants.length === 0 ? <p className="p-3 text-quiet">{t('grants.none')}</p> : null}
      <ul className="divide-y divide-line">
        {grants.map(({ accountId, accountName, active }) => (
          <li
            key={accountId}
            className="flex flex-wrap items-center justify-between gap-x-3 p-3 wrap-anywhere"
          >
            <span>
              <Link
                to="/accounts/$accountId"
                params={{ accountId: String(accountId) }}
                className={`${LINK} font-semibold`}
              >
                <bdi>{accountName}</bdi>
              </Link>{' '}
              <span className="font-mono text-quiet">#{accountId}</span>
              {active ? null : <span className="text-quiet"> {t('accounts.inactive')}</span>}
            </span>
            {mayManage ? (
              <RowAction
                about={accountName}
                isGrave
                isBusy={mutation.isBusy}
                onClick={() =>
                  grant(
                    granted.filter((id) => id !== accountId),
                    t('grants.taken', { name: accountName }),
                  )
                }
              >
                {t('grants.take')}
              </RowAction>
            ) : null}
          </li>
        ))}
      </ul>
      {mutation.failure === undefined ? null : (
        <div className="p-3">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
      {mayManage ? (
        <OtherAccounts
          granted={granted}
          isBusy={mutation.isBusy}
          onGrant={({ id, name }) => grant([...granted, id], t('grants.given', { name }))}
        />
      ) : null}
    </Card>
  );
}

/** Finds an account to grant. */
function OtherAccounts({
  granted,
  isBusy,
  onGrant,
}: {
  readonly granted: readonly number[];
  readonly isBusy: boolean;
  readonly onGrant: (account: { readonly id: number; readonly name: string }) => void;
}): ReactElement {
  const [text, setText] = useState('');
  const search = text.trim().replace(/^#/, '');
  const found = useQuery({
    queryKey: ['accounts', 'grants', search],
    queryFn: async ({ signal }) =>
      (
        await askForRows((page) =>
          gatehouse.api.account.search.query(
            { search, limit: Math.min(FEW + granted.length, MOST), ...page },
            { signal },
          ),
        )
      ).data,
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
  return (
    <div className="flex flex-col gap-2 border-t border-line p-3">
      <SearchField label={t('grants.search')} text={text} onLook={setText} />
      {search === '' ? null : (
        <QueryView answer={found} isPart>
          {(accounts) => {
            const others = accounts.filter(({ id }) => !granted.includes(id)).slice(0, FEW);
            return (
              <div aria-busy={found.isPlaceholderData}>
                <p role="status" className="text-quiet empty:hidden">
                  {others.length === 0 ? t('grants.noneMatch') : ''}
                </p>
                <ul className="divide-y divide-line">
                  {others.map((account) => (
                    <li
                      key={account.id}
                      className="flex flex-wrap items-center justify-between gap-x-3 py-2 wrap-anywhere"
                    >
                      <span>
                        <bdi className="font-semibold">{account.name}</bdi>{' '}
                        <span className="font-mono text-quiet">#{account.id}</span>
                      </span>
                      <RowAction about={account.name} isBusy={isBusy} onClick={() => onGrant(account)}>
                        {t('grants.give')}
                      </RowAction>
                    </li>
                  ))}
                </ul>
              </div>
            );
          }}
        </QueryView>
      )}
    </div>
  );
}
