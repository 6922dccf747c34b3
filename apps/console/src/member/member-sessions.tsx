import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { deviceName } from '@gatehouse/ui/list/device-name';
import { RowAction, usePages } from '@gatehouse/ui/list/paged-list';
import { PagedTable } from '@gatehouse/ui/list/paged-table';
import { Notice } from '@gatehouse/ui/parts/notice';
import { At } from '@gatehouse/ui/screen/ago';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { sessionName } from '@gatehouse/ui/security/session-list';
import { t as ofSecurity } from '@gatehouse/ui/security/words';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { type Column, TITLE_CELL } from '@gatehouse/ui/table/data-table';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';
import { type MemberPage, MemberView, memberKey, useMemberId } from './member-page.js';

type Session = AdminOutputs['session']['listFor']['data'][number];

export const SessionsScreen = inLanguage(Sessions);

function Sessions(): ReactElement {
  const memberId = useMemberId();
  return (
    <MemberView memberId={memberId} here={t('sessions.title')}>
      {(data) => (data.actions.includes('seeSessions') ? <Listed page={data} /> : <Denied />)}
    </MemberView>
  );
}

function Listed({ page }: { readonly page: MemberPage }): ReactElement {
  const { member } = page;
  const queries = useQueryClient();
  const list = usePages<Session>([...memberKey(member.id), 'sessions'], (at, signal) =>
    gatehouse.api.session.listFor.query({ ...at, memberId: member.id }, { signal }),
  );
  const [notice, setNotice] = useState<string>();
  const name = shownName(member);
  const mutation = useMutationState();
  const end = (session: Session) => {
    setNotice(undefined);
    mutation.send(async (signal) => {
      const ended = { memberId: member.id, sessionId: session.id };
      await withReauth(() => gatehouse.api.session.endFor.mutate(ended, { signal }));
      await queries.invalidateQueries({ queryKey: memberKey(member.id) });
      setNotice(ofSecurity('session.ended', { name: sessionName(session) }));
    });
  };
  const mayEnd = page.actions.includes('endSessions');
  return (
    <Screen title={t('sessions.verdict', { name, count: page.counts.sessions })} lead={t('sessions.lead')}>
      <Notice text={notice} onClose={setNotice} />
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <PagedTable
        list={list}
        none={t('sessions.none')}
        label={t('sessions.title')}
        columns={columnsOf(mayEnd ? end : undefined, mutation.isBusy)}
        nameOf={sessionName}
      />
    </Screen>
  );
}

function columnsOf(
  end: ((session: Session) => void) | undefined,
  isBusy: boolean,
): readonly Column<Session>[] {
  return [
    {
      key: 'device',
      title: t('sessions.device'),
      className: TITLE_CELL,
      cell: (session) => (
        <>
          <bdi className="font-semibold">{sessionName(session)}</bdi>
          {session.isCurrent ? <span className="text-quiet"> · {ofSecurity('session.current')}</span> : null}
          {session.deviceName === null ? null : (
            <span className="block text-quiet">{deviceName(session.device)}</span>
          )}
          {session.methods.includes('fed') ? (
            <span className="block text-quiet">{ofSecurity('session.bySso')}</span>
          ) : null}
        </>
      ),
    },
    {
      key: 'address',
      title: t('list.address'),
      className: 'w-40',
      cell: ({ address }) => <bdi className="font-mono text-quiet">{address}</bdi>,
    },
    {
      key: 'since',
      title: t('sessions.since'),
      className: 'w-44 text-quiet',
      isNamed: true,
      cell: ({ authTime, createdAt }) => <At at={authTime ?? createdAt} />,
    },
    {
      key: 'seen',
      title: t('list.lastUsed'),
      className: 'w-44 text-quiet',
      isNamed: true,
      cell: ({ lastSeenAt }) => <At at={lastSeenAt} />,
    },
    ...(end === undefined
      ? []
      : [
          {
            key: 'end',
            title: ofSecurity('session.end'),
            className: 'w-36',
            isAtEnd: true,
            cell: (session: Session) =>
              session.isCurrent ? null : (
                <RowAction about={sessionName(session)} isGrave isBusy={isBusy} onClick={() => end(session)}>
                  {ofSecurity('session.end')}
                </RowAction>
              ),
          },
        ]),
  ];
}
