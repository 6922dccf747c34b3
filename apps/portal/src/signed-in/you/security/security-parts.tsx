import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, type FormFields } from '@gatehouse/ui/form/form';
import { CodeField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { StatusIcon, type StatusTone } from '@gatehouse/ui/parts/icons';
import { rich } from '@gatehouse/ui/parts/rich';
import { type ReactElement, type ReactNode, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { useMe } from '../../session/me.js';
import { t } from './words.js';

/** The state of one thing, and its actions. A sign stands before a state that needs attention. */
export function Line({
  tone,
  title,
  children,
  actions,
}: {
  readonly tone?: StatusTone;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}): ReactElement {
  return (
    <div className="flex flex-wrap items-start justify-between gap-3 p-3">
      <div className="flex min-w-0 flex-1 basis-72 items-start gap-3">
        {tone === undefined ? null : (
          <span className="pt-0.5">
            <StatusIcon tone={tone} />
          </span>
        )}
        <div className="flex min-w-0 flex-col gap-1">
          <p className="font-semibold wrap-anywhere">{title}</p>
          {children}
        </div>
      </div>
      {actions === undefined ? null : <div className="flex flex-wrap gap-3">{actions}</div>}
    </div>
  );
}

/** The proof that a form with a `MailboxProof` sends. */
export function proofIn({ emailCode }: FormFields): { proof?: { emailCode: string } } {
  return emailCode === undefined ? {} : { proof: { emailCode: emailCode.trim() } };
}

/** The mailed code that some members need to add their first factor: it proves the address. */
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
