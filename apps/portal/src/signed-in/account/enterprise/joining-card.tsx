import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { CheckLine, CheckSet } from '@gatehouse/ui/form/check-group';
import { Form, type FormFields } from '@gatehouse/ui/form/form';
import { SaveButton } from '@gatehouse/ui/form/save-button';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { usePlace } from '../account-place.js';
import { type Connection, roleChoices, useSsoKey } from './sso-data.js';
import { t } from './words.js';

const MAX_RULES = 50;

const HOURS = [1, 4, 8, 12, 24, 72, 168, 720];

interface Rule {
  readonly key: number;
  readonly claim: string;
  readonly value: string;
  readonly roleType: number;
}

/** Who may sign in by a connection, and what they may do then. */
export function JoiningCard({
  connection,
  onEdited,
  onSaved,
}: {
  readonly connection: Connection;
  readonly onEdited: () => void;
  readonly onSaved: (saved: Connection) => void;
}): ReactElement {
  const { api } = usePlace();
  const queries = useQueryClient();
  const queryKey = useSsoKey();
  const { id: connectionId, kind, saml, justInTime, defaultRole, sessionHours, idpLevel } = connection;
  const [rules, setRules] = useState<readonly Rule[]>(
    connection.roleMap.map((rule, key) => ({ ...rule, key })),
  );
  const mutation = useMutationState('justInTime', 'defaultRole', 'sessionHours', 'roleMap');
  const hours = [...new Set([...HOURS, sessionHours])].toSorted((one, other) => one - other);
  return (
    <Card title={t('joining.title')}>
      <div className="p-3" onInput={onEdited}>
        <Form
          mutation={mutation}
          onSend={async (fields, signal) => {
            const wanted = { connectionId, ...rulesIn(fields, rules) };
            const { data } = await withReauth(() =>
              kind === 'oidc'
                ? api.sso.saveOidc.mutate(wanted, { signal })
                : api.sso.saveSaml.mutate(
                    { ...wanted, allowIdpInitiated: fields['allowIdpInitiated'] !== undefined },
                    { signal },
                  ),
            );
            await queries.invalidateQueries({ queryKey });
            onSaved(data);
          }}
        >
          <CheckSet name="justInTime" label={t('joining.new')}>
            {() => (
              <CheckLine
                label={t('joining.justInTime')}
                about={t('joining.justInTimeAbout')}
                box={{ name: 'justInTime', defaultChecked: justInTime }}
              />
            )}
          </CheckSet>
          <SelectField
            name="defaultRole"
            label={t('joining.defaultRole')}
            choices={roleChoices()}
            defaultValue={String(defaultRole)}
          />
          <RoleRules
            rules={rules}
            kind={kind}
            onChange={(changed) => {
              setRules(changed);
              onEdited();
            }}
          />
          <SelectField
            name="sessionHours"
            label={t('joining.sessionHours')}
            choices={hours.map((count) => ({ value: String(count), label: t('joining.hours', { count }) }))}
            defaultValue={String(sessionHours)}
          />
          <CheckSet name="idpLevel" label={t('joining.more')}>
            {() => (
              <>
                <CheckLine
                  label={t('joining.level')}
                  about={t('joining.levelAbout')}
                  box={{ name: 'idpLevel', defaultChecked: idpLevel > 1 }}
                />
                {saml === null ? null : (
                  <CheckLine
                    label={t('joining.initiated')}
                    about={t('joining.initiatedAbout')}
                    box={{ name: 'allowIdpInitiated', defaultChecked: saml.allowIdpInitiated }}
                  />
                )}
              </>
            )}
          </CheckSet>
          <SaveButton about={t('joining.title')} isBusy={mutation.isBusy} />
        </Form>
      </div>
    </Card>
  );
}

/** Which groups of the company have which role. */
function RoleRules({
  rules,
  kind,
  onChange,
}: {
  readonly rules: readonly Rule[];
  readonly kind: Connection['kind'];
  readonly onChange: (rules: readonly Rule[]) => void;
}): ReactElement {
  const add = (): void => {
    const key = Math.max(0, ...rules.map((rule) => rule.key)) + 1;
    onChange([...rules, { key, claim: rules.at(-1)?.claim ?? 'groups', value: '', roleType: 5 }]);
  };
  return (
    <fieldset className="flex min-w-0 flex-col items-start gap-3">
      <legend className="pb-1.5 font-semibold">{t('rule.title')}</legend>
      <p className="max-w-[44rem] text-note text-quiet">
        {t(kind === 'oidc' ? 'rule.leadOidc' : 'rule.leadSaml')}
      </p>
      {rules.map(({ key, claim, value, roleType }, at) => (
        <fieldset
          key={key}
          aria-label={t('rule.one', { number: at + 1 })}
          className="grid w-full min-w-0 gap-3 border-s-2 border-line ps-3 rows:grid-cols-[1fr_1fr_1fr_auto] rows:items-end"
        >
          <TextField
            name={`claim.${key}`}
            label={t('rule.claim')}
            defaultValue={claim}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <TextField
            name={`value.${key}`}
            label={t('rule.value')}
            defaultValue={value}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <SelectField
            name={`role.${key}`}
            label={t('rule.role')}
            choices={roleChoices().map(({ value: each, label }) => ({ value: each, label }))}
            defaultValue={String(roleType)}
          />
          <div>
            <Button onClick={() => onChange(rules.filter((each) => each.key !== key))}>
              {t('rule.remove')}
              <span className="sr-only"> {t('rule.one', { number: at + 1 })}</span>
            </Button>
          </div>
        </fieldset>
      ))}
      {rules.length < MAX_RULES ? <Button onClick={add}>{t('rule.add')}</Button> : null}
    </fieldset>
  );
}

function rulesIn(fields: FormFields, rules: readonly Rule[]) {
  return {
    justInTime: fields['justInTime'] !== undefined,
    defaultRole: Number(fields['defaultRole']),
    sessionHours: Number(fields['sessionHours']),
    idpLevel: fields['idpLevel'] === undefined ? 1 : 2,
    roleMap: rules.map(({ key }) => ({
      claim: (fields[`claim.${key}`] ?? '').trim(),
      value: (fields[`value.${key}`] ?? '').trim(),
      roleType: Number(fields[`role.${key}`]),
    })),
  };
}
