import { describe, expect, it } from 'vitest';
import { createAddressReader, networkOf } from './client-address.js';

const addressOf = createAddressReader(['10.0.0.0/8', '::1']);

describe('the address of a client behind a proxy', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:8080', '203.0.113.7'],
    ['2001:DB8:0:0:0:0:0:7', '2001:db8::7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['\t203.0.113.7:51234 ,10.1.2.3', '203.0.113.7'],
    ['203.0.113.7,10.1.2.3:80,[::1]:9000', '203.0.113.7'],
    ['203.0.113.7, ::ffff:10.1.2.3', '203.0.113.7'],
    ['unknown, 203.0.113.7', '203.0.113.7'],
    ['"[2001:db8::7]:443"', '2001:db8::7'],
    ['"203.0.113.7"', '203.0.113.7'],
    ['203.0.113.7:0', '203.0.113.7'],
    ['fe80::7%eth0', 'fe80::7'],
    ['[fe80::7%eth0]:443', 'fe80::7'],
    ['198.51.100.1:1, 203.0.113.7:51234, 10.1.2.3:80', '203.0.113.7'],
  ])('is read from %s, with or without a port', (forwardedFor, address) => {
    expect(addressOf('10.0.0.1', forwardedFor)).toBe(address);
    expect(addressOf('::1', forwardedFor)).toBe(address);
  });

  it.each([
    'unknown',
    '_hidden',
    '',
    '203.0.113.7:',
    '203.0.113.7:a',
    '[203.0.113.7',
    '999.0.113.7:80',
    'a:1',
    '203.0.113.7:51234:1',
    '203.0.113.7:-1',
    '[203.0.113.7',
    '[2001:db8::7]x',
    '[2001:db8::7]443',
    '203.0.113.7/24',
    'http://203.0.113.7',
    'for=203.0.113.7',
    '0x7f.1',
    '203.0.113.07',
  ])('is that of the proxy when the proxy wrote %j, which is not an address', (forwardedFor) => {
    expect(addressOf('10.0.0.1', forwardedFor)).toBe('10.0.0.1');
  });

  it("has no zone, even if the connection's address has one", () => {
    expect(addressOf('fe80::7%eth0', undefined)).toBe('fe80::7');
    expect(createAddressReader(['fe80::/10'])('fe80::7%eth0', '203.0.113.7')).toBe('203.0.113.7');
  });

  it('is that of the connection when the peer is not a trusted proxy', () => {
    expect(addressOf('192.0.2.9', '203.0.113.7:51234')).toBe('192.0.2.9');
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['', ''],
  ])('reads %s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
