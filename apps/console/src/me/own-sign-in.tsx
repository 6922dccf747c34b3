import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, Form } from '@gatehouse/ui/form/form';
import { PasswordFields } from '@gatehouse/ui/form/password-fields';
import { More, RowAction, usePages } from '@gatehouse/ui/list/paged-list';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Link } from '@gatehouse/ui/parts/link';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { SessionList } from '@gatehouse/ui/security/session-list';
import { t as ofSessions } from '@gatehouse/ui/security/words';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { factorsQuery } from '../enrol/factors.js';
import { enrolPath } from '../links.js';
import { t } from '../words.js';

/** Changes one's own password, which ends one's other sessions. */
export function PasswordCard({
  onNotice,
}: {
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('currentPassword', 'newPassword');
  const [times, setTimes] = useState(0);
  return (
    <Card title={t('field.password')}>
      <div className="max-w-md p-3">
        <Form
          key={times}
          mutation={mutation}
          onSend={async ({ currentPassword = '', newPassword = '' }, signal) => {
            onNotice(undefined);
            await withReauth(() =>
              gatehouse.api.password.change.mutate({ currentPassword, newPassword }, { signal }),
            );
            await queries.invalidateQueries({ queryKey: ['me'] });
            setTimes(times + 1);
            onNotice(t('own.passwordChanged'));
          }}
        >
          <PasswordFields />
          <div>
            <Button type="submit" isBusy={mutation.isBusy}>
              {t('own.changePassword')}
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}

/** Whether the factors or the sessions of the person are not known yet. */
export const useAwaited = () => ({
  factors: useQuery(factorsQuery).isLoading,
  sessions: useSessions().isLoading,
});

/** The ways in which a person proves who they are, besides the password. */
export function FactorsCard(): ReactElement {
  const factors = useQuery(factorsQuery);
  return (
    <Card title={t('factors.title')}>
      <QueryView answer={factors} isPart>
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
              <Link href={enrolPath(location.pathname)}>{t('factors.add')}</Link>
            </p>
          </div>
        )}
      </QueryView>
    </Card>
  );
}

type Session = AdminOutputs['session']['list']['data'][number];

const KEY = ['me', 'sessions'] as const;

const useSessions = () =>
  usePages<Session>(KEY, (page, signal) => gatehouse.api.session.list.query(page, { signal }));

/** The sessions of the person, this browser's included. */
export function OwnSessionsCard({
  onNotice,
}: {
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  const list = useSessions();
  const { session: api } = gatehouse.api;
  async function end(which: Parameters<typeof api.endMany.mutate>[0], signal: AbortSignal): Promise<void> {
    await api.endMany.mutate(which, { signal });
    await queries.invalidateQueries({ queryKey: KEY });
  }
  const hasOthers = (list.data ?? []).some(({ isCurrent }) => !isCurrent);
  return (
    <Card
      title={ofSessions('sessions.mine')}
      aside={
        hasOthers ? (
          <RowAction
            isGrave
            isBusy={mutation.isBusy}
            onClick={() => {
              onNotice(undefined);
              mutation.send(async (signal) => {
                await end({ others: true }, signal);
                onNotice(ofSessions('sessions.othersEnded'));
              });
            }}
          >
            {ofSessions('sessions.endOthers')}
          </RowAction>
        ) : null
      }
    >
      {mutation.failure === undefined ? null : (
        <div className="p-3">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
      <QueryView answer={list} isPart>
        {(sessions) => (
          <>
            <SessionList
              sessions={sessions}
              onEnd={(sessionId, signal) => end({ sessionId }, signal)}
              onNotice={onNotice}
            />
            <More of={list} />
          </>
        )}
      </QueryView>
    </Card>
  );
}
