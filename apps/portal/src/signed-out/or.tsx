import type { ReactElement } from 'react';
import { t } from './words.js';

/** The line between two ways to do the same. */
export function Or(): ReactElement {
  return (
    <div className="flex items-center gap-3 text-note text-quiet before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {t('or')}
    </div>
  );
}
