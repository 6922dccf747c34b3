import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { CodeField } from '@gatehouse/ui/form/code-field';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import type { FormFields } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { rich } from '@gatehouse/ui/parts/rich';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { useMe } from '../../session/me.js';
import { t } from './words.js';

/** What a form with a `MailboxProof` sends along. */
export function proofIn({ emailCode }: FormFields): { proof?: { emailCode: string } } {
  return emailCode === undefined ? {} : { proof: { emailCode: emailCode.trim() } };
}

/** The mailed code that the first factor of some members takes: it shows that the address is theirs. */
export function MailboxProof(): ReactElement {
  const { member } = useMe();
  const mutation = useMutationState();
  const [isSent, setSent] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      <p>
        {rich(t('mailbox.lead'), {
          email: () => <bdi className="font-semibold">{member.email ?? ''}</bdi>,
        })}
      </p>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          isBusy={mutation.isBusy}
          onClick={() =>
            mutation.send(async (signal) => {
              await gatehouse.api.verification.sendEmail.mutate(undefined, { signal });
              setSent(true);
            })
          }
        >
          {t(isSent ? 'mailbox.again' : 'mailbox.send')}
        </Button>
        <p role="status">{isSent ? t('mailbox.sent') : null}</p>
      </div>
      <CodeField name="emailCode" label={t('mailbox.code')} digits={8} />
    </div>
  );
}
