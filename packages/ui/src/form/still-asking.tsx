import type { ReactElement } from 'react';
import type { Sending } from '../call/use-send.js';
import { say } from '../messages/say.js';
import { Button } from '../parts/button.js';

/** Says that a call takes long, with a way to give it up. */
export function StillAsking({ sending: { isSlow, cancel } }: { readonly sending: Sending }): ReactElement {
  return (
    <div role="status" className="empty:absolute">
      {isSlow ? (
        <div className="flex items-center justify-between gap-3 text-quiet">
          <span>{say('ui.slow')}</span>
          <Button onClick={cancel}>{say('ui.cancel')}</Button>
        </div>
      ) : null}
    </div>
  );
}
