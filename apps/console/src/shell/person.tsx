import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button } from '@gatehouse/ui/parts/button';
import { OtherLanguages } from '@gatehouse/ui/parts/other-languages';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { PATHS } from '../links.js';
import { useMe } from '../session/me.js';
import { shownName } from '../session/shown-name.js';
import { MESSAGES, t } from '../words.js';

/** Who is here, with the way out and the other languages. */
export function Person(): ReactElement {
  const { member } = useMe();
  const mutation = useMutationState();
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <p className="px-2">
        <Link
          to="/me"
          className="font-semibold underline decoration-line underline-offset-4 hover:decoration-current"
        >
          <bdi>{shownName(member)}</bdi>
        </Link>
        <span className="block text-note text-quiet">
          <bdi>{member.role}</bdi>
        </span>
      </p>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <div className="flex flex-wrap items-center justify-between gap-3 px-2">
        <Button
          isBusy={mutation.isBusy}
          onClick={() =>
            mutation.send(async () => {
              await gatehouse.signOut();
              await leaveTo(PATHS.signIn, { forGood: true });
            })
          }
        >
          {t('frame.signOut')}
        </Button>
        <OtherLanguages messages={MESSAGES} />
      </div>
    </div>
  );
}
