import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { CheckLine } from '@gatehouse/ui/form/check-group';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { PasswordFields } from '@gatehouse/ui/form/password-fields';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useRef } from 'react';
import { gatehouse } from '../../../client.js';
import { nameOfProvider } from '../../../signed-out/provider-names.js';
import { useMe } from '../../session/me.js';
import { Line } from './security-parts.js';
import type { Asking } from './security-status.js';
import { type Done, useRefresh } from './security-status.js';
import { t } from './words.js';

/** Offers to end the connections made since the password was set: a thief of the password may have made them. */
function YoungerConnections(): ReactElement | null {
  const { data = [] } = useQuery({
    queryKey: ['you', 'younger-connections'],
    queryFn: async ({ signal }) => (await gatehouse.api.social.list.query({ limit: 200 }, { signal })).data,
  });
  const younger = data.filter((each) => each.isYoungerThanPassword);
  if (younger.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <p>{t('password.younger', { count: younger.length })}</p>
      <ul className="list-disc ps-5">
        {younger.map(({ id, provider, displayName, email, createdAt }) => (
          <li key={id} className="wrap-anywhere">
            {nameOfProvider(provider)}
            {displayName === null && email === null ? null : ': '}
            <bdi>{email === null ? displayName : shownAddress(email)}</bdi>,{' '}
            {t('password.youngerSince', { day: shownDay(createdAt) })}
          </li>
        ))}
      </ul>
      <CheckLine
        label={t('password.endYounger', { count: younger.length })}
        box={{ name: 'endConnections' }}
      />
    </div>
  );
}

/** The events that report a new password. */
const SETTING = ['password.changed', 'password.set'];

/** The password: change it or, for those who came without one, set a first. */
export function PasswordCard({
  asking: { isAsking, isInHeader, ask },
  onDone,
}: {
  readonly asking: Asking;
  readonly onDone: (done: Done) => void;
}): ReactElement {
  const { member, prompts } = useMe();
  const { hasPassword, emailVerified } = member;
  const isListed = prompts.includes('changePassword');
  const lead = hasPassword
    ? t(isListed ? 'password.listed' : 'password.lead')
    : t(emailVerified ? 'password.none' : 'password.unconfirmed');
  return (
    <Card title={t('password.title')}>
      <Line
        {...(isListed ? { tone: 'error' as const } : {})}
        title={t(hasPassword ? 'password.has' : 'password.hasNot')}
        {...((hasPassword || emailVerified) && !isInHeader
          ? {
              actions: (
                <Button onClick={() => ask(true)}>
                  {t(hasPassword ? 'password.change' : 'password.set')}
                </Button>
              ),
            }
          : {})}
      >
        <p className="text-quiet">{lead}</p>
      </Line>
      {isAsking ? <PasswordDialog onDone={onDone} onClose={() => ask(false)} /> : null}
    </Card>
  );
}

function PasswordDialog({
  onDone,
  onClose,
}: {
  readonly onDone: (done: Done) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { member } = useMe();
  const refresh = useRefresh();
  const mutation = useMutationState('currentPassword', 'newPassword');
  const once = useOnce();
  const latestBefore = useRef<number>(undefined);
  const { hasPassword } = member;

  async function latestEvents(signal: AbortSignal) {
    return (await gatehouse.api.securityEvent.listMine.query({ limit: 10 }, { signal })).data;
  }

  return (
    <Confirm
      title={t(hasPassword ? 'password.change' : 'password.set')}
      effect={t('password.effect')}
      action={t('password.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async ({ currentPassword = '', newPassword = '', endConnections }, signal) => {
        const change = { currentPassword, newPassword, endConnections: endConnections !== undefined };
        const { password } = gatehouse.api;
        latestBefore.current ??= (await latestEvents(signal))[0]?.id ?? 0;
        const before = latestBefore.current;
        await once(
          async () => {
            if (hasPassword) await withReauth(() => password.change.mutate(change, { signal }));
            else await withReauth(() => password.set.mutate({ newPassword }, { signal }));
          },
          async () =>
            (await latestEvents(signal)).some(({ id, kind }) => id > before && SETTING.includes(kind)),
        );
        await refresh();
        onDone({ notice: t('password.done') });
        onClose();
      }}
      onClose={onClose}
    >
      <input type="text" autoComplete="username" value={member.email ?? member.username} readOnly hidden />
      <PasswordFields hasCurrent={hasPassword} hint={t('password.hint')} />
      {hasPassword ? <YoungerConnections /> : null}
    </Confirm>
  );
}
