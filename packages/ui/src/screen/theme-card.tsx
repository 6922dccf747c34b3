import type { ReactElement } from 'react';
import { SelectField } from '../form/select-field.js';
import { Card } from '../parts/card.js';
import { chooseTheme, chosenTheme } from './chosen-theme.js';
import { t } from './words.js';

const THEMES = { device: 'theme.device', light: 'theme.light', dark: 'theme.dark' } as const;

/** The choice between light and dark. It takes effect at once, in this browser alone. */
export function ThemeCard(): ReactElement {
  return (
    <Card title={t('theme.title')}>
      <div className="p-3">
        <SelectField
          name="theme"
          label={t('theme.field')}
          choices={Object.entries(THEMES).map(([value, label]) => ({ value, label: t(label) }))}
          defaultValue={chosenTheme()}
          onChange={chooseTheme}
        />
      </div>
    </Card>
  );
}
