import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { nameOfProvider } from '../../../signed-out/provider-names.js';
import { t } from './words.js';

/** Offers to end the connections that were made since the password was set: whoever knew it could have made them. */
export function YoungerConnections(): ReactElement | null {
  const { data = [] } = useQuery({
    queryKey: ['you', 'younger-connections'],
    queryFn: async ({ signal }) => (await gatehouse.api.social.list.query({ limit: 200 }, { signal })).data,
  });
  const younger = data.filter((each) => each.isYoungerThanPassword);
  if (younger.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <p>{t('password.younger', { count: younger.length })}</p>
      <ul className="list-disc ps-5">
        {younger.map(({ id, provider, displayName, email, createdAt }) => (
          <li key={id} className="wrap-anywhere">
            {nameOfProvider(provider)}
            {displayName === null && email === null ? null : ': '}
            <bdi>{email === null ? displayName : shownAddress(email)}</bdi>,{' '}
            {t('password.youngerSince', { day: shownDay(createdAt) })}
          </li>
        ))}
      </ul>
      <label className="flex min-h-6 cursor-pointer items-start gap-2">
        <input type="checkbox" name="endConnections" className="mt-1 size-4 cursor-pointer accent-harbour" />
        <span>{t('password.endYounger', { count: younger.length })}</span>
      </label>
    </div>
  );
}
