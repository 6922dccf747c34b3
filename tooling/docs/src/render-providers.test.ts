import { readFileSync } from 'node:fs';
import { configShape } from '@gatehouse/features/core/config';
import type { SocialProvider } from '@gatehouse/features/core/social-providers/social-provider';
import {
  SOCIAL_PROVIDERS,
  socialVariables,
} from '@gatehouse/features/core/social-providers/social-providers';
import { describe, expect, it } from 'vitest';
import { renderConfiguration } from './render-configuration.js';
import { renderProviderTable, renderProviderVariables } from './render-providers.js';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** A provider that consists of a file and a line in the list, and nothing else. */
const planted = (): SocialProvider => {
  const [google] = SOCIAL_PROVIDERS;
  if (google === undefined) throw new Error('There are no providers');
  return { ...google, key: 'gitea', name: 'Gitea', providerId: 77, vouching: 'by nothing' };
};

const namesOf = (provider: SocialProvider) =>
  Object.values(socialVariables(provider)).flatMap((group) => Object.keys(group));

describe('a social provider', () => {
  it.each(SOCIAL_PROVIDERS.map((provider) => [provider.key, provider] as const))(
    '%s has its variables, which the example and the documents list',
    (key, provider) => {
      const names = namesOf(provider);
      expect(names).toHaveLength(key === 'linkedin' ? 7 : 6);
      for (const name of names) {
        expect(configShape).toHaveProperty(name);
        expect(read('.env.example')).toContain(`\n# ${name}=\n`);
        expect(read('docs/configuration.md')).toContain(`\n| \`${name}\` |`);
      }
      expect(read('docs/social.md')).toContain(`\n| ${provider.name} | ${provider.providerId} |`);
    },
  );

  it('gets variables, example and documents from its one definition', () => {
    const providers = [...SOCIAL_PROVIDERS, planted()];
    const example = renderProviderVariables(read('.env.example'), providers);
    const names = namesOf(planted());
    expect(names).toContain('GITEA_CLIENT_SECRET');
    for (const name of names) {
      expect(example.split('\n').filter((line) => line === `# ${name}=`)).toHaveLength(1);
      expect(renderConfiguration(example)).toContain(`| \`${name}\` |`);
    }
    expect(example.split('\n')).toHaveLength(read('.env.example').split('\n').length + names.length);
    expect(renderProviderTable(read('docs/social.md'), providers)).toContain(
      '| TikTok | 6 | `user.info.basic video.upload video.publish` | no | sends no address |\n| Gitea | 77 | `profile email` | S256 | by nothing |\n\n',
    );
  });
});
