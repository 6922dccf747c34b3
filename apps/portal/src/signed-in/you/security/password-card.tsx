import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { useOnce } from '@gatehouse/ui/failure/use-once';
import { PasswordField } from '@gatehouse/ui/form/password-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { type ReactElement, useRef } from 'react';
import { gatehouse } from '../../../client.js';
import { useMe } from '../../session/me.js';
import { FormDialog } from './form-dialog.js';
import { Line } from './line.js';
import type { Asking } from './remedy.js';
import { type Done, useRefresh } from './use-done.js';
import { t } from './words.js';
import { YoungerConnections } from './younger-connections.js';

/** The events that tell of a new password. */
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
        tone={isListed ? 'error' : hasPassword ? 'ok' : 'pending'}
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
    <FormDialog
      title={t(hasPassword ? 'password.change' : 'password.set')}
      lead={t('password.effect')}
      action={t('password.submit')}
      mutation={mutation}
      onSend={async ({ currentPassword = '', newPassword = '', endConnections }, signal) => {
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
      {hasPassword ? (
        <PasswordField
          name="currentPassword"
          label={t('password.current')}
          autoComplete="current-password"
          required
        />
      ) : null}
      <PasswordField
        name="newPassword"
        label={t('password.new')}
        hint={t('password.hint')}
        autoComplete="new-password"
        required
      />
      {hasPassword ? <YoungerConnections /> : null}
    </FormDialog>
  );
}
