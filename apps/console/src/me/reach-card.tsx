import { Card } from '@gatehouse/ui/parts/card';
import type { ReactElement } from 'react';
import { useMe } from '../session/me.js';
import { t } from '../words.js';

/** The accounts that somebody works in. */
export function ReachCard(): ReactElement {
  const { allAccounts, grants } = useMe();
  return (
    <Card title={t('grants.title')}>
      {allAccounts ? <p className="p-3">{t('staff.everywhereLead')}</p> : null}
      {!allAccounts && grants.length === 0 ? <p className="p-3 text-quiet">{t('grants.none')}</p> : null}
      <ul className="divide-y divide-line">
        {grants.map(({ accountId, accountName, roleLabel }) => (
          <li key={accountId} className="flex flex-wrap justify-between gap-x-3 p-3 wrap-anywhere">
            <span>
              <bdi className="font-semibold">{accountName}</bdi>{' '}
              <span className="font-mono text-quiet">#{accountId}</span>
            </span>
            <bdi className="text-quiet">{roleLabel}</bdi>
          </li>
        ))}
      </ul>
    </Card>
  );
}
