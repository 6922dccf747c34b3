import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon } from '@gatehouse/ui/parts/status-icon';
import { Asked } from '@gatehouse/ui/screen/asked';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { accountKey } from './account-page.js';
import { t } from './words.js';

const LEVELS = ['policy.level1', 'policy.level1', 'policy.level2', 'policy.level3'] as const;

/** What an account asks of those who sign in, and how many fall short of it. */
export function PolicyCard({ accountId }: { readonly accountId: number }): ReactElement {
  const policy = useQuery({
    queryKey: [...accountKey(accountId), 'policy'],
    queryFn: async ({ signal }) => {
      const { api } = gatehouse.withAccount(accountId);
      return (await api.accountPolicy.get.query(undefined, { signal })).data;
    },
  });
  return (
    <Card title={t('policy.title')}>
      <Asked answer={policy} isPart>
        {({ level, from, members, fallingShort }) => (
          <div className="flex items-start gap-3 p-3">
            <span className="pt-0.5">
              <StatusIcon tone={fallingShort === 0 ? 'ok' : 'pending'} />
            </span>
            <div>
              <p className="font-semibold">{t(LEVELS[level] ?? 'policy.level1')}</p>
              {from === null ? null : <p>{t('policy.from', { day: shownDay(from) })}</p>}
              {level === 1 ? null : (
                <p className="text-quiet">{t('policy.short', { count: fallingShort, members })}</p>
              )}
            </div>
          </div>
        )}
      </Asked>
    </Card>
  );
}
