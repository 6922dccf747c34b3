import type { ReactElement } from 'react';
import { StatusIcon } from '../parts/icons.js';
import { shownDay } from '../screen/shown-time.js';
import { t } from './words.js';

const LEVELS = ['policy.level1', 'policy.level2', 'policy.level3'] as const;

/** The requirement of a level, in words. */
export const policyWords = (level: number): string => t(LEVELS[level - 1] ?? 'policy.level1');

/** The level that an account requires, and how many members do not reach it. */
export function PolicyStatus({
  policy: { level, from, members, fallingShort },
  isChosen = false,
}: {
  readonly policy: {
    readonly level: number;
    readonly from: string | null;
    readonly members: number;
    readonly fallingShort: number;
  };
  /** Whether a field below shows the level. */
  readonly isChosen?: boolean;
}): ReactElement | null {
  if (isChosen && level === 1 && from === null) return null;
  return (
    <div className="flex items-start gap-3">
      {fallingShort === 0 ? null : (
        <span className="pt-0.5">
          <StatusIcon tone="pending" />
        </span>
      )}
      <div>
        {isChosen ? null : <p className="font-semibold">{policyWords(level)}</p>}
        {from === null ? null : <p>{t('policy.from', { day: shownDay(from) })}</p>}
        {level === 1 ? null : (
          <p className="text-quiet">{t('policy.short', { count: fallingShort, members })}</p>
        )}
      </div>
    </div>
  );
}
