import { useOnce } from '@gatehouse/ui/failure/use-once';
import { useSending } from '@gatehouse/ui/failure/use-sending';
import { PasswordField } from '@gatehouse/ui/form/password-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { proven } from '@gatehouse/ui/session/proven';
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
export function PasswordSheet({
  asking: { isAsking, isBesideVerdict, ask },
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
    <Sheet title={t('password.title')}>
      <Line
        state={isListed ? 'shut' : hasPassword ? 'open' : 'ajar'}
        title={t(hasPassword ? 'password.has' : 'password.hasNot')}
        {...((hasPassword || emailVerified) && !isBesideVerdict
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
    </Sheet>
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
  const sending = useSending('currentPassword', 'newPassword');
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
      sending={sending}
      onSend={async ({ currentPassword = '', newPassword = '', endConnections }, signal) => {
        const change = { currentPassword, newPassword, endConnections: endConnections !== undefined };
        const { password } = gatehouse.api;
        latestBefore.current ??= (await latestEvents(signal))[0]?.id ?? 0;
        const before = latestBefore.current;
        await once(
          async () => {
            if (hasPassword) await proven(() => password.change.mutate(change, { signal }));
            else await proven(() => password.set.mutate({ newPassword }, { signal }));
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
