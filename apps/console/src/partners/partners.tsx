import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Card } from '@gatehouse/ui/parts/card';
import { RowMark } from '@gatehouse/ui/parts/icons';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { ActionLink } from '../shell/action-links.js';
import { t } from '../words.js';
import { PARTNERS_KEY, type Partner } from './partner-secret.js';

export const PartnersScreen = inLanguage(Partners);

function Partners(): ReactElement {
  return mayAsStaff(useMe(), 'partner.manage') ? <Listed /> : <Denied />;
}

function Listed(): ReactElement {
  const list = usePages<Partner>([...PARTNERS_KEY, 'list'], (page, signal) =>
    gatehouse.api.partner.list.query(page, { signal }),
  );
  return (
    <Screen
      title={t('partners.title')}
      lead={t('partners.lead')}
      actions={<ActionLink to="/partners/new">{t('partners.add')}</ActionLink>}
    >
      <Card title={t('partners.title')}>
        <QueryView answer={list} isPart>
          {(partners) => (
            <>
              {partners.length === 0 ? <p className="p-3 text-quiet">{t('partners.none')}</p> : null}
              <ul className="divide-y divide-line">
                {partners.map(({ id, name, appUrl, active, lastUsedAt }) => (
                  <li key={id} className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 p-3">
                    <span className="pt-1">
                      <RowMark tone={active ? 'ok' : 'error'} />
                    </span>
                    <div className="min-w-0 wrap-anywhere">
                      <Link
                        to="/partners/$partnerId"
                        params={{ partnerId: String(id) }}
                        className="inline-flex min-h-6 items-center font-semibold underline decoration-line underline-offset-4 hover:decoration-current"
                      >
                        <bdi>{name}</bdi>
                      </Link>
                      {active ? null : <span className="text-quiet">, {t('partners.off')}</span>}
                      <p className="text-quiet">
                        <bdi>{appUrl}</bdi>,{' '}
                        {lastUsedAt === null
                          ? t('partners.unused')
                          : t('partners.used', { time: shownTime(lastUsedAt) })}
                      </p>
                    </div>
                  </li>
                ))}
              </ul>
              <More of={list} />
            </>
          )}
        </QueryView>
      </Card>
    </Screen>
  );
}
