import type { ReactElement } from 'react';
import { SelectField } from '../form/select-field.js';
import { Card } from '../parts/card.js';
import { chooseTheme, chosenTheme } from './chosen-theme.js';
import { t } from './words.js';

const THEMES = ['device', 'light', 'dark'] as const;

/** The choice between light and dark. It takes effect at once, in this browser alone. */
export function ThemeCard(): ReactElement {
  return (
    <Card title={t('theme.title')}>
      <div className="p-3">
        <SelectField
          name="theme"
          label={t('theme.field')}
          choices={THEMES.map((value) => ({ value, label: t(`theme.${value}`) }))}
          defaultValue={chosenTheme()}
          onChange={chooseTheme}
        />
      </div>
    </Card>
  );
}
