import { isGatehouseError } from '@gatehouse/client-sdk';
import { isUnsure, useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { PASSWORD_LENGTH, PasswordField } from '@gatehouse/ui/form/text-field';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { gatehouse } from '../client.js';
import { SCREENS } from '../links.js';
import { takeLink } from '../take-link.js';
import { AuthLayout } from './auth-layout.js';
import { mountScreen } from './mount-screen.js';
import { t } from './words.js';

const token = takeLink().get('token');

/** Whether a link was used or is too old: the page that it led to knows, and this one says so before anything is typed. */
async function isOver(link: string): Promise<boolean> {
  const answer = await fetch(`/reset?${new URLSearchParams({ token: link }).toString()}`);
  // Unread, it would keep the page loading.
  await answer.text();
  return answer.status === 403;
}

function Reset(): ReactElement {
  const mutation = useMutationState('password');
  const hasSent = useRef(false);
  const mayBeDone = useRef(false);
  const [state, setState] = useState<'asking' | 'done' | 'unsure' | 'over'>(
    token === null ? 'over' : 'asking',
  );
  const [consoleUrl, setConsoleUrl] = useState<string>();
  useEffect(() => {
    if (token === null) return;
    isOver(token).then(
      (over) => {
        // The link may have been used by the password that was just sent.
        if (over && !hasSent.current) setState('over');
      },
      () => undefined,
    );
  }, []);
  if (state === 'done') {
    return (
      <AuthLayout title={t('reset.done')} lead={t('reset.doneLead')} tone="ok" takesFocus>
        <div>
          <ButtonLink isWide kind="primary" href={consoleUrl ?? SCREENS.signIn}>
            {t(consoleUrl === undefined ? 'signIn.submit' : 'reset.console')}
          </ButtonLink>
        </div>
      </AuthLayout>
    );
  }
  if (state === 'unsure') {
    return (
      <AuthLayout title={t('reset.unsure')} lead={t('reset.unsureLead')} tone="pending" takesFocus>
        <div className="flex flex-wrap gap-3">
          <ButtonLink isWide kind="primary" href={SCREENS.signIn}>
            {t('signIn.submit')}
          </ButtonLink>
          <ButtonLink isWide href={SCREENS.forgot}>
            {t('reset.again')}
          </ButtonLink>
        </div>
      </AuthLayout>
    );
  }
  if (state === 'over' || token === null) {
    return (
      <AuthLayout title={t('reset.over')} lead={t('reset.overLead')} tone="error" takesFocus>
        <div>
          <ButtonLink isWide kind="primary" href={SCREENS.forgot}>
            {t('reset.again')}
          </ButtonLink>
        </div>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t('reset.title')} lead={t('reset.lead')}>
      <Form
        mutation={mutation}
        onSend={async ({ password = '' }, signal) => {
          hasSent.current = true;
          try {
            const answer = await gatehouse.api.password.reset.mutate({ token, password }, { signal });
            setConsoleUrl(answer.console);
          } catch (error) {
            if (isUnsure(error)) mayBeDone.current = true;
            if (!isGatehouseError(error, 'invalid_token')) throw error;
            setState(mayBeDone.current ? 'unsure' : 'over');
            return;
          }
          setState('done');
        }}
      >
        {/* Password managers look for a username, which the link does not contain. */}
        <input type="text" name="username" autoComplete="username" hidden readOnly />
        <PasswordField
          name="password"
          label={t('field.newPassword')}
          hint={t('field.passwordHint')}
          leastLength={PASSWORD_LENGTH}
          autoComplete="new-password"
          required
        />
        <Button isWide type="submit" kind="primary" isBusy={mutation.isBusy}>
          {t('reset.submit')}
        </Button>
      </Form>
    </AuthLayout>
  );
}

void mountScreen(Reset);
