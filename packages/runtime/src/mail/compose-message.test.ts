import { expect, it } from 'vitest';
import { composeMessage } from './smtp-driver.js';

const mail = {
  idempotencyKey: 'a1b2c3',
  kind: 'activation',
  to: 'a@b.test',
  subject: '',
  text: '',
  html: '',
};

it.each([
  ['no-reply@mail.example', 'mail.example'],
  ['Gatehouse <no-reply@Mail.Example>', 'mail.example'],
  ['"Gate @ House" <no-reply@mail.example> ', 'mail.example'],
  ['Gatehouse <no-reply@почта.example>', 'xn--80a1acny.example'],
  ['Gatehouse <"a@b"@mail.example>', 'mail.example'],
  ['Gatehouse <no-reply@[192.0.2.7]>', '[192.0.2.7]'],
  ['Gatehouse <no-reply@localhost>', 'localhost'],
  ['no-reply@mail.example (our mails)', 'mail.example'],
  ['Gatehouse <no-reply@mail.example> (our mails)', 'mail.example'],
])('a mail from %s gets a Message-ID in the domain %s', (from, domain) => {
  expect(composeMessage(from, mail).messageId).toBe(`<a1b2c3@${domain}>`);
});
