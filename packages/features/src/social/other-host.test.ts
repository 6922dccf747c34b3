import { createApp } from '@gatehouse/api-main/app';
import { providerEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { developmentEnvironment, type RunningService, sendRaw, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

async function visit({ url }: RunningService, target: string, host: string, more = ''): Promise<string> {
  const text = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;
  const answer = await sendRaw(url, text);
  return /^location: (.*)$/im.exec(answer)?.[1]?.trim() ?? '';
}

describe('a sign-in with a provider that begins at another host', () => {
  it('continues once at the address that the provider returns to, with its query, and never at a host of the request', async () => {
    await using simulator = await startProviderSimulator();
    const env = { ...developmentEnvironment('http://localhost:4000'), ...providerEnvironment(simulator.url) };
    await using service = await startService(createApp, { dialect, application: 'web', env });
    for (const host of ['127.0.0.1:4000', 'evil.example', '[::1]', 'LOCALHOST.evil.example'])
      for (const more of ['', 'X-Forwarded-Host: evil.example\r\n'])
        expect(await visit(service, '/social/google?connect=a%26b', host, more)).toBe(
          'http://localhost:4000/social/google?connect=a%26b&moved=1',
        );
    const consent = new RegExp(`^${simulator.url.replaceAll('.', '\\.')}/google/`);
    expect(await visit(service, '/social/google', 'localhost:9')).toMatch(consent);
    expect(await visit(service, '/social/google', 'LocalHost')).toMatch(consent);
    // A proxy names a host that no browser sees: the second visit goes to the provider.
    expect(await visit(service, '/social/google?moved=1', 'backend.internal')).toMatch(consent);
  });
});
