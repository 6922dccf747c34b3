import { type ReactElement, useState } from 'react';
import { FilterSelect } from '../list/filter-select.js';
import { Card } from '../parts/card.js';
import { chooseTheme, chosenTheme } from './chosen-theme.js';
import { t } from './words.js';

const THEMES = ['device', 'light', 'dark'] as const;

/** The choice between light and dark. It takes effect at once, in this browser alone. */
export function ThemeCard(): ReactElement {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <Card title={t('theme.title')}>
      <div className="max-w-md p-3">
        <FilterSelect
          label={t('theme.field')}
          value={theme}
          choices={THEMES.map((value) => ({ value, label: t(`theme.${value}`) }))}
          onChange={(value) => {
            chooseTheme(value);
            setTheme(value);
          }}
        />
      </div>
    </Card>
  );
}
