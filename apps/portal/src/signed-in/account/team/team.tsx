import type { MainOutputs } from '@gatehouse/client-sdk';
import { Button } from '@gatehouse/ui/parts/button';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Asked } from '../../screen/asked.js';
import { Denied } from '../../screen/denied.js';
import { inLanguage } from '../../screen/in-language.js';
import { Screen } from '../../screen/screen.js';
import { usePlace } from '../place.js';
import { t } from '../words.js';

export const TeamScreen = inLanguage(Team);

type Member = MainOutputs['member']['list']['data'][number];

function Team(): ReactElement {
  const { maySee, roleLabel } = usePlace();
  return maySee('member.list') ? <Members /> : <Denied role={roleLabel} />;
}

function Members(): ReactElement {
  const { api, key, accountName } = usePlace();
  const members = useInfiniteQuery({
    queryKey: [...key, 'members'],
    queryFn: ({ pageParam, signal }) => api.member.list.query(pageParam, { signal }),
    initialPageParam: {},
    getNextPageParam: ({ page: { nextCursor } }) =>
      nextCursor === null ? undefined : { cursor: nextCursor },
  });
  return (
    <Asked answer={members}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data);
        return (
          <Screen title={t('team.title', { account: accountName })} state="open">
            <Sheet title={t('team.members', { count: rows.length })}>
              <ul>
                {rows.map((member) => (
                  <Row key={member.id} member={member} />
                ))}
              </ul>
              {members.hasNextPage ? (
                <div className="p-3">
                  <Button isBusy={members.isFetchingNextPage} onClick={() => void members.fetchNextPage()}>
                    {t('team.more')}
                  </Button>
                </div>
              ) : null}
            </Sheet>
          </Screen>
        );
      }}
    </Asked>
  );
}

function Row({ member }: { readonly member: Member }): ReactElement {
  return (
    <li className="flex items-start gap-3 border-b border-line px-3 py-2.5 last:border-0">
      <div className="min-w-0 flex-1">
        <bdi className="font-semibold">{member.username}</bdi>
        <bdi className="block text-quiet">{member.email}</bdi>
      </div>
      <bdi className="text-quiet">{member.accountRoleLabel}</bdi>
    </li>
  );
}
