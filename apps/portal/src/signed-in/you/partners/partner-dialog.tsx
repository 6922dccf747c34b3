import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { t } from '../words.js';

/** What is asked before it is done: to let a partner's sign-on into all of one's accounts, or to end its link. */
const QUESTIONS = {
  consent: {
    title: 'consent.title',
    effect: 'consent.effect',
    action: 'consent.submit',
    work: (partnerId: number, signal: AbortSignal) =>
      gatehouse.api.partner.consent.mutate({ partnerId, consent: true }, { signal }),
  },
  end: {
    title: 'partnerEnd.title',
    effect: 'partnerEnd.effect',
    action: 'partnerEnd.submit',
    work: (partnerId: number, signal: AbortSignal) =>
      withReauth(() => gatehouse.api.partner.endLink.mutate({ partnerId }, { signal })),
  },
} as const;

export type PartnerQuestion = keyof typeof QUESTIONS;

export function PartnerDialog({
  question,
  partnerId,
  name,
  queryKey,
  onClose,
}: {
  readonly question: PartnerQuestion;
  readonly partnerId: number;
  readonly name: string;
  readonly queryKey: readonly unknown[];
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  const { title, effect, action, work } = QUESTIONS[question];
  return (
    <Confirm
      title={t(title, { name })}
      effect={t(effect, { name })}
      action={t(action)}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await work(partnerId, signal);
        await queries.invalidateQueries({ queryKey });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
