import { RAW_REQUESTS, rawAnswerFlaw, sendRaw, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from './app.js';

const dialect = inject('dialect');

describe('a request of arbitrary bytes to the admin service', () => {
  it('is answered with the usual headers and envelope, and not logged as a failure', async () => {
    await using service = await startService(createApp, { dialect, application: 'admin' });
    const flaws: string[][] = [];
    for (const request of RAW_REQUESTS) {
      const before = service.logLines.length;
      const flaw = rawAnswerFlaw(request, await sendRaw(service.url, request));
      const faults = service.logLines.slice(before).filter((line) => line.includes('"event":"failure"'));
      if (flaw !== undefined || faults.length > 0) flaws.push([request, flaw ?? '', ...faults]);
    }
    expect(flaws).toEqual([]);
    expect((await service.send('/healthz')).status).toBe(200);
  });
});
