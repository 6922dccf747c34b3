import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { SearchField } from '@gatehouse/ui/list/search-field';
import { Card } from '@gatehouse/ui/parts/card';
import { RowMark } from '@gatehouse/ui/parts/icons';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { t } from '../words.js';
import { AFFILIATES_KEY, type Affiliate } from './affiliate-query.js';

export const AffiliatesScreen = inLanguage(Affiliates);

const route = getRouteApi('/frame/affiliates');

function Affiliates(): ReactElement {
  return mayAsStaff(useMe(), 'affiliate.read') ? <Listed /> : <Denied />;
}

function Listed(): ReactElement {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePages<Affiliate>(
    [...AFFILIATES_KEY, 'list', q],
    (page, signal) => gatehouse.api.affiliate.search.query({ ...page, search: q }, { signal }),
    { keepsPrevious: true },
  );
  return (
    <Screen title={t('affiliates.title')} lead={t('affiliates.lead')}>
      <div className="flex flex-col gap-4">
        <SearchField
          label={t('affiliates.search')}
          text={q}
          onLook={(next) => void navigate({ search: next === '' ? {} : { q: next }, replace: true })}
        />
        <Card title={t('affiliates.title')}>
          <QueryView answer={list} isPart>
            {(affiliates) => (
              <div aria-busy={list.isPlaceholderData}>
                {affiliates.length === 0 ? (
                  <p className="p-3 text-quiet">{t(q === '' ? 'affiliates.noneYet' : 'affiliates.none')}</p>
                ) : null}
                <ul className="divide-y divide-line">
                  {affiliates.map((affiliate) => (
                    <li key={affiliate.id} className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 p-3">
                      <span className="pt-1">
                        <RowMark tone={affiliate.active ? 'ok' : 'error'} />
                      </span>
                      <div className="min-w-0 wrap-anywhere">
                        <Link
                          to="/affiliates/$memberId"
                          params={{ memberId: String(affiliate.memberId) }}
                          className="inline-flex min-h-6 items-center font-semibold underline decoration-line underline-offset-4 hover:decoration-current"
                        >
                          <bdi>{shownName(affiliate)}</bdi>
                        </Link>
                        <p className="text-quiet">
                          {t('affiliates.line', {
                            percent: affiliate.commissionPercent,
                            code: affiliate.code,
                          })}
                        </p>
                      </div>
                    </li>
                  ))}
                </ul>
                <More of={list} />
              </div>
            )}
          </QueryView>
        </Card>
      </div>
    </Screen>
  );
}
