import type { Member } from '@gatehouse/client-sdk/admin';
import { More } from '@gatehouse/screens/list/more';
import { usePages } from '@gatehouse/screens/list/use-pages';
import { Asked } from '@gatehouse/screens/screen/asked';
import { Denied } from '@gatehouse/screens/screen/denied';
import { inLanguage } from '@gatehouse/screens/screen/in-language';
import { Screen } from '@gatehouse/screens/screen/screen';
import { Button } from '@gatehouse/ui/parts/button';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { mayAnywhere, useMe } from '../session/me.js';
import { t } from '../words.js';
import { FiltersBar } from './filters-bar.js';
import { MembersTable } from './members-table.js';

export const MembersScreen = inLanguage(Members);

const route = getRouteApi('/frame/members');
const PAGE = 50;

function Members(): ReactElement {
  return mayAnywhere(useMe(), 'member.list') ? <Found /> : <Denied />;
}

function Found(): ReactElement {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const { q, state, role } = filters;
  const list = usePages<Member>(
    ['members', filters],
    (page, signal) =>
      gatehouse.api.member.search.query(
        {
          ...page,
          limit: PAGE,
          ...(q === undefined ? {} : { search: q.trim().replace(/^#/, '') }),
          ...(state === undefined ? {} : { state }),
          ...(role === undefined ? {} : { roleType: role }),
        },
        { signal },
      ),
    { keepsPrevious: true },
  );
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Screen title={t('members.title')} lead={t('members.lead')}>
      <div className="flex flex-col gap-4">
        <FiltersBar filters={filters} onChange={(next) => void navigate({ search: next, replace: true })} />
        <Asked answer={list} isPart>
          {(members) =>
            members.length > 0 ? (
              <div aria-busy={list.isPlaceholderData}>
                <p role="status" className="pb-2 text-quiet">
                  {t(list.hasNextPage ? 'members.shownMany' : 'members.shown', { count: members.length })}
                </p>
                <MembersTable members={members} />
                <More of={list} />
              </div>
            ) : (
              <div className="flex flex-col items-start gap-3 border-t-2 border-ink bg-sheet p-3">
                <p role="status">{t(isFiltered ? 'members.noneMatch' : 'members.none')}</p>
                {isFiltered ? (
                  <Button onClick={() => void navigate({ search: {} })}>{t('members.clear')}</Button>
                ) : null}
              </div>
            )
          }
        </Asked>
      </div>
    </Screen>
  );
}
