import { useSending } from '@gatehouse/screens/failure/use-sending';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { StillAsking } from '@gatehouse/ui/form/still-asking';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { type ReactElement, type ReactNode, useState } from 'react';
import { gatehouse } from '../client.js';
import { SCREENS } from '../links.js';
import { takeLink } from '../take-link.js';
import { Entrance } from './entrance.js';
import { Loaded } from './loaded.js';
import { mountScreen } from './mount-screen.js';
import { useLoad } from './use-load.js';
import { t } from './words.js';

/** What the link in the mail to the present address brought. */
const token = takeLink().get('token') ?? '';

const strong = (text: string) => (): ReactNode => <bdi className="font-semibold text-ink">{text}</bdi>;

function EmailApproval(): ReactElement {
  const details = useLoad(() => gatehouse.api.email.approvalDetails.query({ token }));
  const [answer, setAnswer] = useState<'agreed' | 'refused'>();
  if (answer === 'agreed') {
    return (
      <Entrance title={t('approval.agreed')} lead={t('approval.agreedLead')} state="open" takesFocus>
        <div>
          <ButtonLink kind="primary" href={SCREENS.home}>
            {t('confirm.goOn')}
          </ButtonLink>
        </div>
      </Entrance>
    );
  }
  if (answer === 'refused') {
    return (
      <Entrance title={t('approval.stopped')} lead={t('approval.stoppedLead')} state="shut" takesFocus>
        <div>
          <ButtonLink kind="primary" href={SCREENS.forgot}>
            {t('reset.title')}
          </ButtonLink>
        </div>
      </Entrance>
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
      {({ change }) =>
        change === null ? (
          <Entrance title={t('approval.answered')} lead={t('approval.answeredLead')} takesFocus />
        ) : (
          <Entrance
            title={t('approval.title')}
            lead={rich(t('approval.lead'), {
              email: strong(change.email),
              pending: strong(change.pendingEmail),
            })}
            state="ajar"
          >
            <Answers onAnswer={setAnswer} />
          </Entrance>
        )
      }
    </Loaded>
  );
}

function Answers({ onAnswer }: { readonly onAnswer: (answer: 'agreed' | 'refused') => void }): ReactElement {
  const sending = useSending();
  const answer = (approve: boolean): void =>
    sending.send(async (signal) => {
      await gatehouse.api.email.approve.mutate({ token, approve }, { signal });
      onAnswer(approve ? 'agreed' : 'refused');
    });
  return (
    <>
      {sending.failure === undefined ? null : <FailureNote failure={sending.failure} />}
      <Button kind="primary" isWide isBusy={sending.isBusy} onClick={() => answer(true)}>
        {t('approval.agree')}
      </Button>
      <p className="text-lead">{t('approval.notYou')}</p>
      <Button kind="grave" isWide isBusy={sending.isBusy} onClick={() => answer(false)}>
        {t('approval.refuse')}
      </Button>
      <StillAsking sending={sending} />
    </>
  );
}

void mountScreen(EmailApproval);
