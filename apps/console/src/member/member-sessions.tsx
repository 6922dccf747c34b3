import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { deviceName } from '@gatehouse/ui/list/device-name';
import { More, RowAction, usePages } from '@gatehouse/ui/list/paged-list';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Card } from '@gatehouse/ui/parts/card';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { shownName } from '../session/me.js';
import { t } from '../words.js';
import { type MemberPage, memberKey, Path, useMemberId, useMemberPage } from './member-page.js';

type Session = AdminOutputs['session']['listFor']['data'][number];

export const SessionsScreen = inLanguage(Sessions);

function Sessions(): ReactElement {
  const memberId = useMemberId();
  const page = useMemberPage(memberId);
  return (
    <QueryView answer={page}>
      {(data) => (data.actions.includes('seeSessions') ? <Listed page={data} /> : <Denied />)}
    </QueryView>
  );
}

function Listed({ page }: { readonly page: MemberPage }): ReactElement {
  const { member } = page;
  const mayEnd = page.actions.includes('endSessions');
  const list = usePages<Session>([...memberKey(member.id), 'sessions'], (at, signal) =>
    gatehouse.api.session.listFor.query({ ...at, memberId: member.id }, { signal }),
  );
  const [notice, setNotice] = useState<string>();
  const name = shownName(member);
  return (
    <div className="flex flex-col gap-4">
      <Path member={member} here={t('sessions.title')} />
      <Screen title={t('sessions.verdict', { name, count: page.counts.sessions })} lead={t('sessions.lead')}>
        {notice === undefined ? null : <Banner tone="ok">{notice}</Banner>}
        <Card title={t('sessions.title')}>
          <QueryView answer={list} isPart>
            {(sessions) => (
              <>
                {sessions.length === 0 ? <p className="p-3 text-quiet">{t('sessions.none')}</p> : null}
                <ul className="divide-y divide-line">
                  {sessions.map((session) => (
                    <Row
                      key={session.id}
                      memberId={member.id}
                      session={session}
                      mayEnd={mayEnd && !session.isCurrent}
                      onNotice={setNotice}
                    />
                  ))}
                </ul>
                <More of={list} />
              </>
            )}
          </QueryView>
        </Card>
      </Screen>
    </div>
  );
}

function Row({
  memberId,
  session,
  mayEnd,
  onNotice,
}: {
  readonly memberId: number;
  readonly session: Session;
  readonly mayEnd: boolean;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  const { id: sessionId, device, deviceName: given, address, createdAt, authTime, lastSeenAt } = session;
  const name = given ?? deviceName(device);
  return (
    <li className="grid gap-x-3 gap-y-1 p-3 rows:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0 wrap-anywhere">
        <bdi className="font-semibold">{name}</bdi>
        <p className="text-quiet">
          <bdi className="font-mono">{address}</bdi>,{' '}
          {t('sessions.times', { since: shownTime(authTime ?? createdAt), seen: shownTime(lastSeenAt) })}
        </p>
      </div>
      {mayEnd ? (
        <div>
          <RowAction
            about={name}
            isGrave
            isBusy={mutation.isBusy}
            onClick={() =>
              mutation.send(async (signal) => {
                await withReauth(() =>
                  gatehouse.api.session.endFor.mutate({ memberId, sessionId }, { signal }),
                );
                await queries.invalidateQueries({ queryKey: memberKey(memberId) });
                onNotice(t('sessions.ended', { name }));
              })
            }
          >
            {t('sessions.end')}
          </RowAction>
        </div>
      ) : null}
      {mutation.failure === undefined ? null : (
        <div className="col-span-full">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
    </li>
  );
}
