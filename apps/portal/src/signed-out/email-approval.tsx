import type { MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { PasswordField } from '@gatehouse/ui/form/text-field';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { gatehouse } from '../client.js';
import { SCREENS } from '../links.js';
import { takeLink } from '../take-link.js';
import { AuthLayout } from './auth-layout.js';
import { Loaded, useLoad } from './loaded.js';
import { mountScreen } from './mount-screen.js';
import { t } from './words.js';

/** The token of the link mailed to the present address. */
const token = takeLink().get('token') ?? '';

const strong = (text: string) => (): ReactNode => <bdi className="font-semibold text-ink">{text}</bdi>;

type Answer = MainOutputs['email']['approve']['data'] & { readonly isApproved: boolean };

function EmailApproval(): ReactElement {
  const details = useLoad(() => gatehouse.api.email.approvalDetails.query({ token }));
  const [answer, setAnswer] = useState<Answer>();
  if (answer?.isApproved === true) {
    const { effectiveAt } = answer;
    const isSignedIn = details.data?.isSignedIn === true;
    return (
      <AuthLayout
        title={t('approval.agreed')}
        lead={
          effectiveAt === null
            ? t('approval.agreedLead')
            : t('approval.agreedLater', { at: shownTime(effectiveAt) })
        }
        tone={effectiveAt === null ? 'ok' : 'pending'}
        takesFocus
      >
        <div>
          <ButtonLink isWide kind="primary" href={isSignedIn ? SCREENS.profile : SCREENS.signIn}>
            {t(isSignedIn ? 'confirm.toProfile' : 'signIn.submit')}
          </ButtonLink>
        </div>
      </AuthLayout>
    );
  }
  if (answer !== undefined) {
    const lead = t(answer.sessionsEnded ? 'approval.stoppedLead' : 'approval.stoppedOnly');
    return (
      <AuthLayout title={t('approval.stopped')} lead={lead} tone="error" takesFocus>
        <div>
          <ButtonLink isWide kind="primary" href={SCREENS.forgot}>
            {t('reset.title')}
          </ButtonLink>
        </div>
      </AuthLayout>
    );
  }
  return (
    <Loaded
      from={details}
      refused={t('approval.over')}
      again={
        <>
          {t('approval.overLead')} <Link href={SCREENS.signIn}>{t('back.signIn')}</Link>
        </>
      }
    >
      {({ change, isSignedIn }) =>
        change === null ? (
          <AuthLayout title={t('approval.answered')} lead={t('approval.answeredLead')} takesFocus />
        ) : (
          <AuthLayout
            title={t('approval.title')}
            lead={rich(t('approval.lead'), {
              email: strong(change.email),
              pending: strong(change.pendingEmail),
            })}
            tone="pending"
          >
            {change.effectiveAt === null ? null : (
              <p>{t('approval.counting', { at: shownTime(change.effectiveAt) })}</p>
            )}
            <Answering isSignedIn={isSignedIn} onAnswer={setAnswer} />
          </AuthLayout>
        )
      }
    </Loaded>
  );
}

/** Two buttons. Of a member who is not signed in the chosen one then asks for the password, which they may leave out. */
function Answering({
  isSignedIn,
  onAnswer,
}: {
  readonly isSignedIn: boolean;
  readonly onAnswer: (answer: Answer) => void;
}): ReactElement {
  const [chosen, setChosen] = useState<boolean>();
  if (isSignedIn) {
    return (
      <>
        <AnswerForm isApproved isSignedIn onAnswer={onAnswer} />
        <p>{t('approval.notYou')}</p>
        <AnswerForm isApproved={false} isSignedIn onAnswer={onAnswer} />
      </>
    );
  }
  if (chosen === undefined) {
    return (
      <>
        <div className="grid gap-3 rows:grid-cols-2">
          <Button kind="primary" isWide onClick={() => setChosen(true)}>
            {t('approval.agree')}
          </Button>
          <Button kind="grave" isWide onClick={() => setChosen(false)}>
            {t('approval.refuse')}
          </Button>
        </div>
        <p className="text-quiet">{t('approval.notYou')}</p>
      </>
    );
  }
  return (
    <>
      <AnswerForm key={String(chosen)} isApproved={chosen} isSignedIn={false} onAnswer={onAnswer} />
      <div>
        <Button onClick={() => setChosen(undefined)}>{t('approval.back')}</Button>
      </div>
    </>
  );
}

/** One answer. The password is optional, and left out by members who are signed in. */
function AnswerForm({
  isApproved,
  isSignedIn,
  onAnswer,
}: {
  readonly isApproved: boolean;
  readonly isSignedIn: boolean;
  readonly onAnswer: (answer: Answer) => void;
}): ReactElement {
  const mutation = useMutationState('password');
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={place}>
      <Form
        mutation={mutation}
        onSend={async ({ password = '' }, signal) => {
          const proof = password === '' ? {} : { password };
          const input = { token, approve: isApproved, ...proof };
          const { data } = await gatehouse.api.email.approve.mutate(input, { signal });
          onAnswer({ ...data, isApproved });
        }}
      >
        {isSignedIn ? null : (
          <PasswordField
            name="password"
            label={t(isApproved ? 'approval.agreePassword' : 'approval.refusePassword')}
            hint={t(isApproved ? 'approval.agreeHint' : 'approval.refuseHint')}
            autoComplete="current-password"
          />
        )}
        <Button type="submit" kind={isApproved ? 'primary' : 'grave'} isWide isBusy={mutation.isBusy}>
          {t(isApproved ? 'approval.agree' : 'approval.refuse')}
        </Button>
      </Form>
    </div>
  );
}

function shownTime(at: string): string {
  return new Intl.DateTimeFormat(catalogue.locale, { timeStyle: 'short' }).format(new Date(at));
}

void mountScreen(EmailApproval);
