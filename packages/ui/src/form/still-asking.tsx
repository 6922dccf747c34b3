import type { ReactElement } from 'react';
import type { MutationState } from '../call/use-send.js';
import { t } from '../messages/translate.js';
import { Button } from '../parts/button.js';

/** Says that a call takes long, with a way to give it up. */
export function StillAsking({
  mutation: { isSlow, cancel },
}: {
  readonly mutation: MutationState;
}): ReactElement {
  return (
    <div role="status" className="empty:absolute">
      {isSlow ? (
        <div className="flex items-center justify-between gap-3 text-quiet">
          <span>{t('ui.slow')}</span>
          <Button onClick={cancel}>{t('ui.cancel')}</Button>
        </div>
      ) : null}
    </div>
  );
}
