import { describe, expect, it } from 'vitest';
import { consoleLink, screenLink } from './app-link.js';

const MAIN = { APP_URL: 'https://app.test', BASE_URL: 'https://app.test', PORTAL: true };

describe('the link of a notice', () => {
  it('leads to the screen of the portal that it is about, from either service', () => {
    expect(screenLink(MAIN, 'a/7/team')).toBe('https://app.test/portal/a/7/team');
    expect(screenLink(MAIN, '')).toBe('https://app.test/portal/');
    const admin = { ...MAIN, BASE_URL: 'https://admin.test', MAIN_URL: 'https://app.test' };
    expect(screenLink(admin, 'you/sessions')).toBe('https://app.test/portal/you/sessions');
  });

  it('leads to the front end where that is another program, or the portal is off', () => {
    expect(screenLink({ ...MAIN, PORTAL: false }, 'a/7/team')).toBe('https://app.test');
    expect(screenLink({ ...MAIN, BASE_URL: 'https://api.test' }, 'a/7/team')).toBe('https://app.test');
  });

  it('leads staff to the console, or to the front end if its address is not known', () => {
    const { APP_URL } = MAIN;
    expect(consoleLink({ APP_URL, ADMIN_URL: 'https://admin.test' }, 'developers')).toBe(
      'https://admin.test/console/developers',
    );
    expect(consoleLink({ APP_URL }, 'developers')).toBe(APP_URL);
  });
});
