import type { ReactElement } from 'react';
import { SelectField } from '../form/select-field.js';
import { t } from './words.js';

const OVERLAPS_IN_HOURS = [0, 1, 24, 72, 168];

const OVERLAP_IN_HOURS = 24;

const HOURS_A_DAY = 24;

/** How soon a replaced key or secret ends. */
export function OverlapField({ label }: { readonly label: string }): ReactElement {
  return (
    <SelectField
      name="overlapHours"
      label={label}
      choices={OVERLAPS_IN_HOURS.map((hours) => ({ value: String(hours), label: overlapText(hours) }))}
      defaultValue={String(OVERLAP_IN_HOURS)}
    />
  );
}

function overlapText(hours: number): string {
  const days = hours / HOURS_A_DAY;
  return days > 1 ? t('key.inDays', { count: days }) : t('rotate.inHours', { count: hours });
}
