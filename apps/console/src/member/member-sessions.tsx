import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Card } from '@gatehouse/ui/parts/card';
import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { SessionList } from '@gatehouse/ui/security/session-list';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
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
  async function end(sessionId: number, signal: AbortSignal): Promise<void> {
    const ended = { memberId: member.id, sessionId };
    await withReauth(() => gatehouse.api.session.endFor.mutate(ended, { signal }));
    await queries.invalidateQueries({ queryKey: memberKey(member.id) });
  }
  return (
    <Screen title={t('sessions.verdict', { name, count: page.counts.sessions })} lead={t('sessions.lead')}>
      <Notice text={notice} onClose={setNotice} />
      <Card title={t('sessions.title')}>
        <QueryView answer={list} isPart>
          {(sessions) => (
            <>
              {sessions.length === 0 ? <p className="p-3 text-quiet">{t('sessions.none')}</p> : null}
              <SessionList
                sessions={sessions}
                {...(page.actions.includes('endSessions') ? { onEnd: end } : {})}
                onNotice={setNotice}
              />
              <More of={list} />
            </>
          )}
        </QueryView>
      </Card>
    </Screen>
  );
}
