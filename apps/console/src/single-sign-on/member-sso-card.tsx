import { Badge } from '@gatehouse/ui/parts/badge';
import { Card } from '@gatehouse/ui/parts/card';
import { At } from '@gatehouse/ui/screen/ago';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { t } from './words.js';

/** The connections by which a member has signed in, for staff who see connections. Most members have none. */
export function MemberSsoCard({ memberId }: { readonly memberId: number }): ReactElement | null {
  return mayAsStaff(useMe(), 'platformSso.manage') ? <Asked memberId={memberId} /> : null;
}

function Asked({ memberId }: { readonly memberId: number }): ReactElement | null {
  const { data = [] } = useQuery({
    queryKey: ['single-sign-on', 'member', memberId],
    queryFn: async ({ signal }) =>
      (await gatehouse.api.platformSso.listFor.query({ memberId }, { signal })).data,
  });
  if (data.length === 0) return null;
  return (
    <Card title={t('sso.title')}>
      <ul className="divide-y divide-line">
        {data.map(({ connectionId, accountId, accountName, name, active, manages, ...times }) => (
          <li key={connectionId} className="p-3 wrap-anywhere">
            <bdi className="font-semibold">{name}</bdi>{' '}
            <Link to="/accounts/$accountId" params={{ accountId: String(accountId) }} className={LINK}>
              <bdi>{accountName}</bdi>
            </Link>
            <p className="text-note text-quiet">
              <Badge tone={active ? 'ok' : 'pending'}>{t(active ? 'sso.active' : 'sso.inactive')}</Badge> ·{' '}
              <At at={times.lastSignInAt} say={(time) => t('sso.lastUsed', { time })} />
            </p>
            {manages ? <p className="text-note text-quiet">{t('sso.manages')}</p> : null}
            {times.consentedAt === null ? null : (
              <p className="text-note text-quiet">
                {t('sso.consented', { day: shownDay(times.consentedAt) })}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
