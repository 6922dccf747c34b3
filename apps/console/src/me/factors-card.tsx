import { Card } from '@gatehouse/ui/parts/card';
import { Link } from '@gatehouse/ui/parts/link';
import { Asked } from '@gatehouse/ui/screen/asked';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { enrolPath } from '../links.js';
import { t } from '../words.js';

/** What somebody proves who they are by, besides the password. */
export function FactorsCard(): ReactElement {
  const factors = useQuery({
    queryKey: ['me', 'factors'],
    queryFn: async ({ signal }) => (await gatehouse.api.factor.list.query(undefined, { signal })).data,
  });
  return (
    <Card title={t('factors.title')}>
      <Asked answer={factors} isPart>
        {({ totp, passkeys, backupCodesLeft, requiredBy }) => (
          <div className="flex flex-col gap-2 p-3">
            <p>{t(totp === null ? 'factors.noApp' : 'factors.app')}</p>
            <p>{t('factors.passkeys', { count: passkeys })}</p>
            {totp === null && passkeys === 0 ? null : <p>{t('factors.codes', { count: backupCodesLeft })}</p>}
            {requiredBy === null ? null : (
              <p className="text-quiet">
                {t(requiredBy.level >= 3 ? 'factors.askedPasskey' : 'factors.asked')}
              </p>
            )}
            <p>
              <Link href={enrolPath()}>{t('factors.add')}</Link>
            </p>
          </div>
        )}
      </Asked>
    </Card>
  );
}
