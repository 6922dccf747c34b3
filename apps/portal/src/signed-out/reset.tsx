import { isGatehouseError } from '@gatehouse/client-sdk';
import { useSending } from '@gatehouse/screens/failure/use-sending';
import { Form } from '@gatehouse/ui/form/form';
import { PasswordField } from '@gatehouse/ui/form/password-field';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { SCREENS } from '../links.js';
import { takeFragment } from '../take-fragment.js';
import { Entrance } from './entrance.js';
import { mountScreen } from './mount-screen.js';
import { t } from './words.js';

const token = takeFragment().get('token');

function Reset(): ReactElement {
  const sending = useSending('password');
  const [state, setState] = useState<'asking' | 'done' | 'over'>(token === null ? 'over' : 'asking');
  if (state === 'done') {
    return (
      <Entrance title={t('reset.done')} lead={t('reset.doneLead')} state="open" takesFocus>
        <div>
          <ButtonLink kind="primary" href={SCREENS.signIn}>
            {t('signIn.submit')}
          </ButtonLink>
        </div>
      </Entrance>
    );
  }
  if (state === 'over' || token === null) {
    return (
      <Entrance title={t('reset.over')} lead={t('reset.overLead')} state="shut" takesFocus>
        <div>
          <ButtonLink kind="primary" href={SCREENS.forgot}>
            {t('reset.again')}
          </ButtonLink>
        </div>
      </Entrance>
    );
  }
  return (
    <Entrance title={t('reset.title')} lead={t('reset.lead')}>
      <Form
        sending={sending}
        onSend={async ({ password = '' }, signal) => {
          try {
            await gatehouse.api.password.reset.mutate({ token, password }, { signal });
          } catch (error) {
            if (!isGatehouseError(error, 'invalid_token')) throw error;
            setState('over');
            return;
          }
          setState('done');
        }}
      >
        {/* Password managers look for a name; the link does not tell it. */}
        <input type="text" name="username" autoComplete="username" hidden readOnly />
        <PasswordField
          name="password"
          label={t('field.newPassword')}
          hint={t('field.passwordHint')}
          autoComplete="new-password"
          required
        />
        <Button type="submit" kind="primary" isBusy={sending.isBusy}>
          {t('reset.submit')}
        </Button>
      </Form>
    </Entrance>
  );
}

void mountScreen(Reset);
