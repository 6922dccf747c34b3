import { Card } from '@gatehouse/ui/parts/card';
import type { ReactElement } from 'react';
import { useMe } from '../../session/me.js';
import { shownName } from '../../session/shown-name.js';
import { t } from '../words.js';

/** Who somebody is, for those who only read. */
export function FactsCard(): ReactElement {
  const { member } = useMe();
  const facts = [
    [t('profile.name'), shownName(member)],
    [t('profile.username'), member.username],
    [t('profile.email'), member.email ?? t('profile.noEmail')],
  ] as const;
  return (
    <Card title={t('profile.facts')}>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-2 p-3">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
