import type { ReactElement } from 'react';
import { t } from '../messages/translate.js';
import { Button } from '../parts/button.js';

/** Saves what was changed in a form. It stands at its foot. */
export function SaveButton({
  about,
  isBusy,
}: {
  /** What it saves, which screen readers add. */
  readonly about: string;
  readonly isBusy: boolean;
}): ReactElement {
  return (
    <div>
      <Button type="submit" isBusy={isBusy}>
        {t('ui.save')}
        <span className="sr-only"> {about}</span>
      </Button>
    </div>
  );
}
