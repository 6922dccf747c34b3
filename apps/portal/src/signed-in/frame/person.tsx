import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { OtherLanguages } from '@gatehouse/ui/parts/other-languages';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import type { ReactElement } from 'react';
import { BrandLinks } from '../../brand.js';
import { gatehouse } from '../../client.js';
import { SCREENS } from '../../links.js';
import { shownName, useMe } from '../session/me.js';
import { MESSAGES, t } from '../words.js';

/** Who is here, with the way out and the other languages. */
export function Person(): ReactElement {
  const { member, actor } = useMe();
  const mutation = useMutationState();
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <p className="px-2">
        <bdi className="block font-semibold">{shownName(member)}</bdi>
        {member.email === null ? null : (
          <bdi className="block text-note text-quiet">{shownAddress(member.email)}</bdi>
        )}
      </p>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <div className="flex flex-wrap items-center justify-between gap-3 px-2">
        {actor === null ? (
          <Button
            isBusy={mutation.isBusy}
            onClick={() =>
              mutation.send(async () => {
                await gatehouse.signOut();
                await leaveTo(SCREENS.signIn, { forGood: true });
              })
            }
          >
            {t('frame.signOut')}
          </Button>
        ) : null}
        <OtherLanguages messages={MESSAGES} />
      </div>
      <div className="px-2 empty:hidden">
        <BrandLinks />
      </div>
    </div>
  );
}
